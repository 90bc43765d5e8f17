import sharp from 'sharp';
import type { Upload } from '../service/http/form';
import { decodeSmall, openUpload } from './decode';
import { cleanMask } from './mask';
import { segment } from './segment';

/** Longer side, in pixels, of the small copy on which the subject is detected. */
const workingEdge = 144;

/** How much larger than the small copy the mask is blurred at most. */
const maxBlurScale = 8;

/**
 * Makes the background of an image transparent, with soft edges, and writes a PNG of the same size.
 * Pixels that were transparent stay so. What cannot be seen loses its colours.
 */
export async function cutOut(upload: Upload, xmp: string, file: string): Promise<void> {
	const small = await decodeSmall(upload, workingEdge);
	const size = { width: small.width, height: small.height };
	const shares = cleanMask({ values: segment(small), ...size });
	// Grey and alpha, of which only alpha counts.
	const mask = Buffer.from([...shares].flatMap((share) => [255, Math.round(share * 255)]));
	const { width, height } = (await openUpload(upload).metadata()).autoOrient;
	// Blurred before it is as large as a large image: what a blur costs grows with its radius.
	const scale = Math.min(maxBlurScale, width / size.width);
	const soft = await sharp(mask, { raw: { ...size, channels: 2 } })
		.resize(Math.ceil(size.width * scale), Math.ceil(size.height * scale), {
			fit: 'fill',
			kernel: 'cubic',
		})
		.blur(Math.max(0.5, scale / 2))
		.toColourspace('b-w')
		.png({ compressionLevel: 1 })
		.toBuffer();
	const input = await sharp(soft)
		.resize(width, height, { fit: 'fill', kernel: 'cubic' })
		.linear([1, 1.8], [0, -110])
		.toColourspace('b-w')
		.png({ compressionLevel: 1 })
		.toBuffer();
	await openUpload(upload)
		.composite([{ input, blend: 'dest-in' }])
		.png()
		.withXmp(xmp)
		.toFile(file);
}
