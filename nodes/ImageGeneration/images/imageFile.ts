import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { safeStem } from './fileName';
import { HEAD_BYTES, imageType, notAnImageBecause } from './imageType';
import { firstBytes } from './readable';
import type { InputFile } from './streamedFile';

/**
 * Describes the file part of a request. Reads only the first bytes of the image.
 * @param about The subject of messages.
 * @throws BadInput if it is empty, not an image, or no longer in n8n's storage.
 */
export async function imageFile(
	helpers: IExecuteFunctions['helpers'],
	binary: IBinaryData,
	about = `The file ${quote(binary.fileName ?? 'image')}`,
): Promise<InputFile> {
	const { id, data, fileName: name = 'image', mimeType: claimed } = binary;
	const { head, size, open } =
		id === undefined ? inMemory(data) : await inStorage(helpers, id, binary, about);
	if (size === 0) {
		throw new BadInput(`${about} is empty.`, 'Use a file that is not empty.', 'not an image');
	}
	const type = imageType(head, claimed);
	if (type === undefined) {
		throw new BadInput(
			`${about} ${notAnImageBecause(claimed)}.`,
			'Use an image, such as a JPG, PNG or WebP file.',
			'not an image',
		);
	}
	const fileName = `${safeStem(name)}.${type.extension}`;
	return { name: fileName, type: type.mimeType, size, open, sha256: undefined };
}

async function inStorage(
	helpers: IExecuteFunctions['helpers'],
	id: string,
	{ bytes }: IBinaryData,
	about: string,
) {
	try {
		// n8n 2.40.3 includes the size in the item; 1.123.81 has to ask its storage.
		const size = typeof bytes === 'number' ? bytes : (await helpers.getBinaryMetadata(id)).fileSize;
		const stream = await helpers.getBinaryStream(id, HEAD_BYTES);
		const head = await firstBytes(stream, HEAD_BYTES);
		return { head, size, open: async () => await helpers.getBinaryStream(id) };
	} catch {
		// n8n deletes the files of old executions, but pinned data may still refer to them.
		const failure = new BadInput(
			`${about} is no longer in n8n's storage.`,
			'Run the node that outputs it again.',
		);
		throw failure;
	}
}

function inMemory(data: string) {
	const bytes = Buffer.from(data, 'base64');
	// Decoded again, so that the bytes are not kept until they are sent.
	const open = async () => await Promise.resolve([Buffer.from(data, 'base64')]);
	return { head: bytes.subarray(0, HEAD_BYTES), size: bytes.length, open };
}
