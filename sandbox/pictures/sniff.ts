import { open } from 'node:fs/promises';

/** The image format that a file's first bytes show. */
export interface Kind {
	format: string;
	mimeType: string;
	extension: string;
	/** Whether the sandbox can decode it. */
	readable: boolean;
}

const kind = (format: string, extension: string, more: Partial<Kind> = {}): Kind => ({
	format,
	extension,
	mimeType: `image/${format.toLowerCase()}`,
	readable: true,
	...more,
});

const heic = kind('HEIC', 'heic');
const tiff = kind('TIFF', 'tif');
const unknown = kind('unknown', 'jpg', { mimeType: 'image/jpeg', readable: false });
const svg = kind('vector (SVG)', 'svg', { mimeType: 'image/svg+xml', readable: false });

const kinds: readonly [offset: number, hex: string, kind: Kind][] = [
	[0, 'ffd8ff', kind('JPEG', 'jpg')],
	[0, '89504e470d0a1a0a', kind('PNG', 'png')],
	[0, '47494638', kind('GIF', 'gif')],
	[8, '57454250', kind('WebP', 'webp')],
	[4, '66747970617669', kind('AVIF', 'avif')],
	[4, '66747970686569', heic],
	[4, '66747970686576', heic],
	[4, '667479706d6966', kind('HEIF', 'heif', { mimeType: 'image/heic' })],
	[0, '424d', kind('BMP', 'bmp', { readable: false })],
	[0, '49492a00', tiff],
	[0, '4d4d002a', tiff],
	[0, '49492b00', tiff],
	[0, '4d4d002b', tiff],
	[0, '3c737667', svg],
	[0, '3c3f786d6c', svg],
];

/** Detects a file's format from its first bytes. An unknown format has the type of JPEG. */
export async function sniff(file: string): Promise<Kind> {
	const handle = await open(file);
	try {
		const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
		const found = kinds.find(([offset, hex]) => buffer.toString('hex', offset).startsWith(hex));
		return found?.[2] ?? unknown;
	} finally {
		await handle.close();
	}
}
