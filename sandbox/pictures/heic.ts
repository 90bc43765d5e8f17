import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Upload } from '../service/http/form';
import { refuse } from './decode';

/**
 * Turns a HEIC photo, as phones take them, into a TIFF beside it, upright as its container says.
 * sharp has no decoder for them (0.35.5), because their codec, HEVC, is patented. Any other image
 * stays as it is.
 *
 * @throws Refusal 415 if the photo cannot be decoded
 */
export async function readHeic(upload: Upload): Promise<Upload> {
	const { compression } = await sharp(upload.file, { limitInputPixels: false }).metadata();
	if (compression !== 'hevc') return upload;
	const { data, width, height } = await decodeHeic(upload).catch(async () => await refuse(upload));
	const file = `${upload.file}.tif`;
	await sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
		.tiff({ compression: 'none' })
		.toFile(file);
	return { file, fileName: upload.fileName };
}

interface Pixels {
	/** RGBA, 4 bytes each. */
	data: Uint8ClampedArray;
	width: number;
	height: number;
}

async function decodeHeic({ file }: Upload): Promise<Pixels> {
	// Loaded for the first photo only: it is large.
	const { default: libheif } = await import('libheif-js/wasm-bundle');
	const images = new libheif.HeifDecoder().decode(await readFile(file));
	const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
	if (!image) throw new Error('The file has no image.');
	const width = image.get_width();
	const height = image.get_height();
	const pixels: Pixels = { data: new Uint8ClampedArray(width * height * 4), width, height };
	const decoded = await new Promise<Pixels | null>((resolve) => image.display(pixels, resolve));
	for (const one of images) one.free();
	if (!decoded) throw new Error('The image cannot be decoded.');
	return decoded;
}
