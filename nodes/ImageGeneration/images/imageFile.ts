import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput, NotAnImage } from '../failures/failures';
import { quote } from '../failures/quote';
import type { ImageSource } from '../types';
import { safeFileName, withExtension } from './fileName';
import { extensionOf, HEAD_BYTES, imageType, notAnImageBecause } from './imageType';
import { peek } from './readable';
import { StreamedFile } from './streamedFile';

/** An image as it came: where it stands, for a message, and what it claims to be. */
interface Claimed {
	/** Such as `The file "photo.jpg"`. */
	where: string;
	name: string;
	/** Undefined where what it claims does not count. */
	mimeType: string | undefined;
}

/**
 * The image of a request as a file part. Only its first bytes are read here.
 * @param byBytes Whether its own bytes alone must show that it is an image, whatever it claims.
 * @throws NotAnImage when it is empty, or no image.
 * @throws BadInput when it is gone.
 */
export async function imageFile(
	helpers: IExecuteFunctions['helpers'],
	source: ImageSource,
	{ byBytes } = { byBytes: false },
): Promise<StreamedFile> {
	if (source.kind === 'dataUrl') {
		const where = "The data: address in 'Image URL'";
		return imageInMemory(source.base64, { where, name: 'image', mimeType: source.mimeType });
	}
	const { id, data, bytes, mimeType, fileName: name = 'image' } = source.binary;
	const claimed = {
		where: `The file ${quote(name)}`,
		name,
		mimeType: byBytes ? undefined : mimeType,
	};
	// A Code node may have broken the lines.
	if (id === undefined) return imageInMemory(data.replace(/\s+/g, ''), claimed);
	return await storedImage(helpers, id, bytes, claimed);
}

async function storedImage(
	helpers: IExecuteFunctions['helpers'],
	id: string,
	bytes: unknown,
	claimed: Claimed,
): Promise<StreamedFile> {
	const { size, head } = await stored(helpers, id, bytes, claimed);
	const type = checkedType(claimed, size, head);
	const open = async () => await helpers.getBinaryStream(id);
	return new StreamedFile(uploadName(claimed.name, type), type, size, open);
}

async function stored(
	helpers: IExecuteFunctions['helpers'],
	id: string,
	bytes: unknown,
	{ where }: Claimed,
): Promise<{ size: number; head: Uint8Array }> {
	try {
		// n8n 2.40.3 says the size with the item; 1.123.81 takes another look into its storage.
		const size = typeof bytes === 'number' ? bytes : (await helpers.getBinaryMetadata(id)).fileSize;
		const stream = await helpers.getBinaryStream(id, HEAD_BYTES);
		const head = await peek(stream, HEAD_BYTES);
		stream.destroy();
		return { size, head };
	} catch {
		// n8n prunes the files of old executions, and pinned data outlives its files.
		const failure = new BadInput(
			`${where} is no longer in n8n's storage.`,
			'Run the node that outputs it again.',
		);
		throw failure;
	}
}

function imageInMemory(base64: string, claimed: Claimed): StreamedFile {
	const size = Buffer.byteLength(base64, 'base64');
	// Four characters hold three bytes.
	const head = Buffer.from(base64.slice(0, HEAD_BYTES * 2), 'base64').subarray(0, HEAD_BYTES);
	const type = checkedType(claimed, size, head);
	const open = async () => await Promise.resolve([Buffer.from(base64, 'base64')]);
	return new StreamedFile(uploadName(claimed.name, type), type, size, open);
}

function checkedType({ where, mimeType }: Claimed, size: number, head: Uint8Array): string {
	if (size === 0) throw new NotAnImage(`${where} is empty.`, 'Use a file that is not empty.');
	const type = imageType(head, mimeType);
	if (type === undefined) {
		throw new NotAnImage(
			`${where} ${notAnImageBecause(mimeType)}.`,
			'Use an image, such as a JPG, PNG or WebP file.',
		);
	}
	return type;
}

function uploadName(name: string, type: string): string {
	return withExtension(safeFileName(name), extensionOf(type));
}
