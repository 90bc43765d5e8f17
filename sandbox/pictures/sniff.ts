import { open } from 'node:fs/promises';

/** What the first bytes of a file say it is. */
export interface Kind {
	format: string;
	mimeType: string;
	extension: string;
	/** Whether the picture library can decode it. */
	readable: boolean;
}

interface Sign extends Kind {
	at: number;
	/** Hex. */
	magic: string;
}

const sign = (
	at: number,
	magic: string,
	format: string,
	extension: string,
	more: Partial<Kind> = {},
): Sign => {
	const mimeType = `image/${format.toLowerCase()}`;
	return { at, magic, format, extension, mimeType, readable: true, ...more };
};

const heic = { mimeType: 'image/heic', readable: false };

const signs: readonly Sign[] = [
	sign(0, 'ffd8ff', 'JPEG', 'jpg'),
	sign(0, '89504e470d0a1a0a', 'PNG', 'png'),
	sign(0, '47494638', 'GIF', 'gif'),
	sign(8, '57454250', 'WebP', 'webp'),
	sign(4, '66747970617669', 'AVIF', 'avif'),
	sign(4, '6674797068656963', 'HEIC', 'heic', heic),
	sign(4, '6674797068656978', 'HEIC', 'heic', heic),
	sign(4, '6674797068657663', 'HEIC', 'heic', heic),
	sign(4, '667479706d696631', 'HEIF', 'heif', heic),
	sign(0, '424d', 'BMP', 'bmp', { readable: false }),
	sign(0, '49492a00', 'TIFF', 'tif'),
	sign(0, '4d4d002a', 'TIFF', 'tif'),
];

const unknown: Kind = { format: 'JPEG', mimeType: 'image/jpeg', extension: 'jpg', readable: true };

/** Reads the first bytes of a file; JPEG when they say nothing. */
export async function sniff(file: string): Promise<Kind> {
	const handle = await open(file);
	try {
		const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
		const found = signs.find(
			({ at, magic }) => buffer.toString('hex', at, at + magic.length / 2) === magic,
		);
		return found ?? unknown;
	} finally {
		await handle.close();
	}
}
