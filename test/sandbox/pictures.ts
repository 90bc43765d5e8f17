import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { Upload } from '../../sandbox/service/http/form';
import { Workbench } from '../../sandbox/service/jobs/workbench';
import { settle } from '../../sandbox/tools/parameters';
import type { ToolDefinition } from '../../sandbox/tools/tool';
import type { Fields } from './clients';

/** What a tool makes of a call, without a server. */
export interface Made {
	picture: Buffer;
	/** A remark for the ledger. */
	note: string | undefined;
}

/** What `settle` checks of a call. */
export function formOf(fields: Fields, image?: Upload): Parameters<typeof settle>[1] {
	return { fields, problems: new Map(), ...(image && { image }) };
}

/** Makes a picture as a tool does. @throws Refusal as the service refuses the call */
export async function make(tool: ToolDefinition, fields: Fields, image?: Buffer): Promise<Made> {
	const folder = await mkdtemp(join(tmpdir(), 'picture-'));
	try {
		const upload = image && { file: join(folder, 'photo'), fileName: 'photo.png' };
		if (upload) await writeFile(upload.file, image);
		const settings = settle(tool.parameters, formOf(fields, upload));
		const file = join(folder, 'made');
		const { signal } = new AbortController();
		const note = await new Workbench().make(tool, { settings, image: upload }, file, signal);
		return { picture: await readFile(file), note };
	} finally {
		await rm(folder, { recursive: true });
	}
}

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
