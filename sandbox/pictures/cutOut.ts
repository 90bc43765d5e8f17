import sharp from 'sharp';
import type { Upload } from '../types';
import { openUpload } from './decode';
import { findSubject } from './subject';

/** The subject is found on a small square copy with sides of this many pixels. */
const side = 144;

/**
 * Makes the background of an image transparent, with soft edges, and writes a PNG of the same size.
 * Pixels that were transparent stay so. What cannot be seen loses its colours.
 */
export async function cutOut(upload: Upload, file: string): Promise<void> {
	const data = await openUpload(upload)
		.flatten({ background: '#fff' })
		.resize(side, side, { fit: 'fill' })
		.raw({ depth: 'uchar' })
		.toBuffer();
	const mask = findSubject({ data, width: side, height: side });
	// The median drops specks and fills holes.
	const soft = await sharp(mask, { raw: { width: side, height: side, channels: 1 } })
		.median(9)
		.blur(1)
		.toColourspace('b-w')
		.raw()
		.toBuffer();
	const { width, height } = (await openUpload(upload).metadata()).autoOrient;
	const input = await sharp(withAlpha(soft), { raw: { width: side, height: side, channels: 2 } })
		.resize(width, height, { fit: 'fill', kernel: 'cubic' })
		.linear([1, 1.8], [0, -110])
		.toColourspace('b-w')
		.png({ compressionLevel: 1 })
		.toBuffer();
	await openUpload(upload)
		.composite([{ input, blend: 'dest-in' }])
		.png()
		.toFile(file);
}

/** Grey and alpha, of which only alpha counts. */
function withAlpha(alpha: Buffer): Buffer {
	return Buffer.from([...alpha].flatMap((value) => [255, value]));
}
