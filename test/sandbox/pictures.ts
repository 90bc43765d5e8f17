import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

/** A red disc on a light background, 96 x 64 pixels. */
export async function disc(format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<Buffer> {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64">
		<rect width="96" height="64" fill="#eef"/><circle cx="40" cy="34" r="20" fill="#c22"/></svg>`;
	return await sharp(Buffer.from(svg)).flatten().toFormat(format, { quality: 95 }).toBuffer();
}

/** RGB, and alpha if there is one, of a pixel. */
export async function pixel(image: Buffer, x: number, y: number): Promise<number[]> {
	const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
	const start = (y * info.width + x) * info.channels;
	return [...data.subarray(start, start + info.channels)];
}

/** All pixels, to compare pictures without their metadata. */
export async function pixelsOf(image: Buffer): Promise<string> {
	return (await sharp(image).raw().toBuffer()).toString('base64');
}

/** A picture of one colour. */
export async function plain(width: number, height: number, background: string): Promise<Buffer> {
	return await sharp({ create: { width, height, channels: 3, background } })
		.png()
		.toBuffer();
}

/** A PNG whose header says this size. To draw one of 50 million pixels, sharp would take up to 2 GiB. */
export async function claiming(width: number, height: number): Promise<Buffer> {
	const png = await plain(1, 1, '#48c');
	// Signature, length and type of the header are 16 bytes; its checksum begins with the type.
	png.writeUInt32BE(width, 16);
	png.writeUInt32BE(height, 20);
	png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
	return png;
}

/** An SVG that takes several minutes to draw, but little memory. */
export function slowSvg(): Buffer {
	const filters = '<feTurbulence baseFrequency="0.3" numOctaves="9"/>'.repeat(500);
	return Buffer.from(
		`<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000">` +
			`<filter id="f" x="0" y="0" width="1" height="1">${filters}</filter>` +
			'<rect width="1000" height="1000" filter="url(#f)"/></svg>',
	);
}

/** The photo of the examples. */
export const astronaut = async () => await readFile('examples/photos/astronaut.jpg');

/** A photo that a phone stored on its side, 192 x 256 pixels when upright. */
export const phonePhoto = async () => await readFile('test/sandbox/files/phone.heic');

/** The same photo, made from that of the examples. */
export const phonePhotoPixels = async () =>
	await sharp(await astronaut())
		.extract({ left: 32, top: 0, width: 384, height: 512 })
		.resize(192, 256)
		.raw()
		.toBuffer();
