import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { safeFileName, withExtension } from './fileName';
import { extensionOf, HEAD_BYTES, imageType, notAnImageBecause } from './imageType';
import { peek } from './readable';
import { StreamedFile } from './streamedFile';

/** An image with its name and claimed type. */
interface Claimed {
	/** The subject of messages, such as `The file "photo.jpg"`. */
	subject: string;
	name: string;
	/** Undefined if the claimed type is to be ignored. */
	mimeType: string | undefined;
}

/** How a file is read, and named in messages. */
export interface ImageFileRules {
	/** Whether to ignore the claimed type and rely only on the bytes. */
	byBytes?: boolean;
	/** The subject of messages; the file with its name by default. */
	subject?: string;
}

/**
 * Makes the file part of a request. Reads only the first bytes of the image.
 * @throws BadInput if it is empty, not an image, or no longer in n8n's storage.
 */
export async function imageFile(
	helpers: IExecuteFunctions['helpers'],
	{ id, data, bytes, mimeType, fileName: name = 'image' }: IBinaryData,
	{ byBytes, subject = `The file ${quote(name)}` }: ImageFileRules = {},
): Promise<StreamedFile> {
	const claimed = { subject, name, mimeType: byBytes === true ? undefined : mimeType };
	// Base64 from a Code node may contain line breaks.
	if (id === undefined) return imageInMemory(data.replace(/\s+/g, ''), claimed);
	return await storedImage(helpers, id, bytes, claimed);
}

async function storedImage(
	helpers: IExecuteFunctions['helpers'],
	id: string,
	bytes: unknown,
	claimed: Claimed,
): Promise<StreamedFile> {
	const { size, head } = await readStored(helpers, id, bytes, claimed);
	const type = requireImageType(claimed, size, head);
	const open = async () => await helpers.getBinaryStream(id);
	return new StreamedFile(uploadName(claimed.name, type), type, size, open);
}

async function readStored(
	helpers: IExecuteFunctions['helpers'],
	id: string,
	bytes: unknown,
	{ subject }: Claimed,
): Promise<{ size: number; head: Uint8Array }> {
	try {
		// n8n 2.40.3 includes the size in the item; 1.123.81 has to ask its storage.
		const size = typeof bytes === 'number' ? bytes : (await helpers.getBinaryMetadata(id)).fileSize;
		const stream = await helpers.getBinaryStream(id, HEAD_BYTES);
		const head = await peek(stream, HEAD_BYTES);
		stream.destroy();
		return { size, head };
	} catch {
		// n8n deletes the files of old executions, but pinned data may still refer to them.
		const failure = new BadInput(
			`${subject} is no longer in n8n's storage.`,
			'Run the node that outputs it again.',
		);
		throw failure;
	}
}

function imageInMemory(base64: string, claimed: Claimed): StreamedFile {
	const size = Buffer.byteLength(base64, 'base64');
	// Four characters hold three bytes.
	const head = Buffer.from(base64.slice(0, HEAD_BYTES * 2), 'base64').subarray(0, HEAD_BYTES);
	const type = requireImageType(claimed, size, head);
	const open = async () => await Promise.resolve([Buffer.from(base64, 'base64')]);
	return new StreamedFile(uploadName(claimed.name, type), type, size, open);
}

function requireImageType({ subject, mimeType }: Claimed, size: number, head: Uint8Array): string {
	if (size === 0) {
		throw new BadInput(`${subject} is empty.`, 'Use a file that is not empty.', 'not an image');
	}
	const type = imageType(head, mimeType);
	if (type === undefined) {
		throw new BadInput(
			`${subject} ${notAnImageBecause(mimeType)}.`,
			'Use an image, such as a JPG, PNG or WebP file.',
			'not an image',
		);
	}
	return type;
}

function uploadName(name: string, type: string): string {
	return withExtension(safeFileName(name), extensionOf(type));
}
