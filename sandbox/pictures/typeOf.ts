import { open } from 'node:fs/promises';

interface FileType {
	mimeType: string;
	extension: string;
}

const types: readonly [start: RegExp, mimeType: string, extension: string][] = [
	[/^\x89PNG/, 'image/png', 'png'],
	[/^GIF8/, 'image/gif', 'gif'],
	[/^RIFF.{4}WEBP/s, 'image/webp', 'webp'],
	[/^(II\*\0|MM\0\*)/, 'image/tiff', 'tif'],
	[/^.{4}ftypavi/s, 'image/avif', 'avif'],
	[/^.{4}ftyp/s, 'image/heic', 'heic'],
	[/^BM/, 'image/bmp', 'bmp'],
];

/** Detects an image's type from its first bytes; JPEG if they are of no other type. */
export async function typeOf(file: string): Promise<FileType> {
	const handle = await open(file);
	try {
		const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
		const start = buffer.toString('latin1');
		const [, mimeType = 'image/jpeg', extension = 'jpg'] =
			types.find(([pattern]) => pattern.test(start)) ?? [];
		return { mimeType, extension };
	} finally {
		await handle.close();
	}
}
