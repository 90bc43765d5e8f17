import sharp from 'sharp';
import { open, toPicture, type Picture } from './decode';
import { cleanMask } from './mask';
import { segment } from './segment';

/** Longer side, in pixels, of the small copy on which the subject is detected. */
const workingEdge = 144;

/**
 * Makes the background of an RGBA picture transparent, with soft edges, and writes a PNG of the same
 * size. Pixels that were transparent stay so.
 */
export async function cutOut(picture: Picture, xmp: string, file: string): Promise<void> {
	const { data, width, height } = picture;
	const small = await toPicture(
		open(picture)
			.flatten({ background: '#fff' })
			.resize(workingEdge, workingEdge, { fit: 'inside', withoutEnlargement: true }),
	);
	const size = { width: small.width, height: small.height };
	const shares = cleanMask({ values: segment(small), ...size });
	const mask = Buffer.from(Uint8Array.from(shares, (share) => Math.round(share * 255)));
	const alpha = await sharp(mask, { raw: { ...size, channels: 1 } })
		.resize(width, height, { fit: 'fill', kernel: 'cubic' })
		.blur(Math.max(0.5, width / size.width / 2))
		.linear(1.8, -110)
		.toColourspace('b-w')
		.raw()
		.toBuffer();
	for (let pixel = 0; pixel < alpha.length; pixel++) {
		const at = pixel * 4 + 3;
		data[at] = Math.round(((alpha[pixel] ?? 0) * (data[at] ?? 0)) / 255);
		// What cannot be seen only takes space, and might show the background elsewhere.
		if (data[at] === 0) data.fill(0, at - 3, at);
	}
	await open(picture).png().withXmp(xmp).toFile(file);
}
