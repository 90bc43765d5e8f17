import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { makePicture } from '../../sandbox/service/makePicture';
import { settle } from '../../sandbox/tools/parameters';
import type { ToolDefinition } from '../../sandbox/tools/tool';
import type { Fields } from './clients';

/** What a tool makes of a call, without a server. */
export interface Made {
	picture: Buffer;
	/** A remark for the ledger. */
	note: string | undefined;
}

/** Makes a picture as a tool does. @throws Refusal as the service refuses the call */
export async function make(tool: ToolDefinition, fields: Fields, image?: Buffer): Promise<Made> {
	const folder = await mkdtemp(join(tmpdir(), 'picture-'));
	try {
		const upload = image && { file: join(folder, 'photo'), name: 'photo.png' };
		if (upload) await writeFile(upload.file, image);
		const form = { fields, problems: new Map<string, string>(), ...(upload && { image: upload }) };
		const settings = settle(tool.parameters, form);
		const file = join(folder, 'made');
		const note = await makePicture(tool, { settings, image: upload }, file);
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

/** All pixels as a text, to compare pictures without their metadata. */
export async function pixelsOf(image: Buffer): Promise<string> {
	return (await sharp(image).raw().toBuffer()).toString('base64');
}

/** A picture of one colour. */
export async function plain(width: number, height: number, background: string): Promise<Buffer> {
	return await sharp({ create: { width, height, channels: 3, background } })
		.png()
		.toBuffer();
}

/** The photo of the examples. */
export const astronaut = async () => await readFile('examples/photos/astronaut.jpg');
