import sharp from 'sharp';
import { Refusal } from '../service/http/refusal';
import { maxPixels } from './decode';

/** Maximum width of a picture on the page, in pixels. */
const thumbnailWidth = 480;

/** Returns a small WebP of a file for the page. @throws Refusal 415 if it is not an image */
export async function shrink(file: string): Promise<Uint8Array> {
	return await sharp(file, { limitInputPixels: maxPixels })
		.resize({ width: thumbnailWidth, withoutEnlargement: true })
		.webp({ quality: 80 })
		.toBuffer()
		.catch(() => {
			throw new Refusal(415, 'The file of this job is not a readable image.');
		});
}
