import { open } from 'node:fs/promises';

/** The image format that a file's first bytes show. */
export interface Kind {
	format: string;
	mimeType: string;
	extension: string;
	/** Whether sharp can decode it. */
	readable: boolean;
}

interface Signature extends Kind {
	offset: number;
	/** Hex. */
	magic: string;
}

const signature = (
	offset: number,
	magic: string,
	format: string,
	extension: string,
	more: Partial<Kind> = {},
): Signature => {
	const mimeType = `image/${format.toLowerCase()}`;
	return { offset, magic, format, extension, mimeType, readable: true, ...more };
};

const heic = { mimeType: 'image/heic', readable: false };

const signatures: readonly Signature[] = [
	signature(0, 'ffd8ff', 'JPEG', 'jpg'),
	signature(0, '89504e470d0a1a0a', 'PNG', 'png'),
	signature(0, '47494638', 'GIF', 'gif'),
	signature(8, '57454250', 'WebP', 'webp'),
	signature(4, '66747970617669', 'AVIF', 'avif'),
	signature(4, '6674797068656963', 'HEIC', 'heic', heic),
	signature(4, '6674797068656978', 'HEIC', 'heic', heic),
	signature(4, '6674797068657663', 'HEIC', 'heic', heic),
	signature(4, '667479706d696631', 'HEIF', 'heif', heic),
	signature(0, '424d', 'BMP', 'bmp', { readable: false }),
	signature(0, '49492a00', 'TIFF', 'tif'),
	signature(0, '4d4d002a', 'TIFF', 'tif'),
];

const unknown: Kind = {
	format: 'unknown',
	mimeType: 'image/jpeg',
	extension: 'jpg',
	readable: true,
};

/** Detects a file's format from its first bytes. An unknown format has the type of JPEG. */
export async function sniff(file: string): Promise<Kind> {
	const handle = await open(file);
	try {
		const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
		const found = signatures.find(
			({ offset, magic }) => buffer.toString('hex', offset, offset + magic.length / 2) === magic,
		);
		return found ?? unknown;
	} finally {
		await handle.close();
	}
}
