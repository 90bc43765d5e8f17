import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import libheif from 'libheif-js/wasm-bundle.js';
import sharp from 'sharp';

/**
 * Writes the main image of a HEIC file as TIFF, then says so.
 *
 * @param {{ from: string, to: string }} files
 */
async function convert({ from, to }) {
	const images = new libheif.HeifDecoder().decode(await readFile(from));
	const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
	if (!image) throw new Error('The file has no image.');
	const width = image.get_width();
	const height = image.get_height();
	const data = new Uint8ClampedArray(width * height * 4);
	/** @type {object | null} */
	const decoded = await new Promise((resolve) => image.display({ data, width, height }, resolve));
	if (!decoded) throw new Error('The image cannot be decoded.');
	await sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
		.tiff({ compression: 'none' })
		.toFile(to);
	parentPort?.postMessage('done');
}

/** @type {unknown} */
const files = workerData;
await convert(/** @type {{ from: string, to: string }} */ (files));
