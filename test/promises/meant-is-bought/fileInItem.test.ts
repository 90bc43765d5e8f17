import { randomBytes } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { imageFile } from '../../../nodes/ImageGeneration/images/imageFile';

const helpers = {} as IExecuteFunctions['helpers'];

/** What is sent of a file that an item has in this base64. */
async function sent(data: string): Promise<{ size: number; bytes: Buffer }> {
	const { size, open } = await imageFile(helpers, { mimeType: 'image/gif', data });
	const pieces: Uint8Array[] = [];
	for await (const piece of await open()) pieces.push(piece);
	return { size, bytes: Buffer.concat(pieces) };
}

describe.each([13, 14, 15, 262_143, 262_144, 1_000_000])('a file of %d bytes in the item', (length) => {
	const bytes = Buffer.concat([Buffer.from('GIF89a'), randomBytes(length - 6)]);
	const base64 = bytes.toString('base64');

	it.each([
		['as n8n writes it', base64],
		['without padding', base64.replace(/=+$/, '')],
		['for addresses', bytes.toString('base64url')],
		['in lines', base64.replace(/.{76}/g, '$&\r\n')],
		['with a line end behind it', `${base64}\n`],
		['with characters that are none of base64', `${base64.slice(0, 16)}%${base64.slice(16)}`],
	])('is sent byte for byte, in base64 %s', async (_how, data) => {
		const { size, bytes: found } = await sent(data);

		expect(size).toBe(length);
		expect(found.equals(bytes)).toBe(true);
	});
});
