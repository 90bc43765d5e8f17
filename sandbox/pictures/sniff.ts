import { open } from 'node:fs/promises';

const kinds = [
	{ at: 0, magic: 'ffd8ff', mimeType: 'image/jpeg', extension: 'jpg' },
	{ at: 0, magic: '89504e470d0a1a0a', mimeType: 'image/png', extension: 'png' },
	{ at: 0, magic: '47494638', mimeType: 'image/gif', extension: 'gif' },
	{ at: 8, magic: '57454250', mimeType: 'image/webp', extension: 'webp' },
	{ at: 4, magic: '66747970617669', mimeType: 'image/avif', extension: 'avif' },
	{ at: 0, magic: '424d', mimeType: 'image/bmp', extension: 'bmp' },
	{ at: 0, magic: '49492a00', mimeType: 'image/tiff', extension: 'tif' },
	{ at: 0, magic: '4d4d002a', mimeType: 'image/tiff', extension: 'tif' },
];

/** What the first bytes of a file say it is; `image/jpeg` when they say nothing. */
export async function sniff(file: string): Promise<{ mimeType: string; extension: string }> {
	const handle = await open(file);
	try {
		const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
		const kind = kinds.find(
			({ at, magic }) => buffer.toString('hex', at, at + magic.length / 2) === magic,
		);
		const { mimeType, extension } = kind ?? { mimeType: 'image/jpeg', extension: 'jpg' };
		return { mimeType, extension };
	} finally {
		await handle.close();
	}
}
