import sharp from 'sharp';
import { open, type Picture } from './decode';
import { cleanMask } from './mask';
import { segment } from './segment';

/** Longer side, in pixels, of the small copy on which the subject is detected. */
const workingEdge = 144;

/**
 * Makes the background of a picture transparent. Returns a PNG of the same size with soft edges;
 * pixels that were transparent stay so.
 */
export async function cutOut(picture: Picture, xmp: string): Promise<Buffer> {
	const { width, height } = picture;
	const { data, info } = await open(picture)
		.flatten({ background: '#fff' })
		.resize(workingEdge, workingEdge, { fit: 'inside', withoutEnlargement: true })
		.raw()
		.toBuffer({ resolveWithObject: true });
	const small = { data, width: info.width, height: info.height };
	const shares = cleanMask({ values: segment(small), width: info.width, height: info.height });
	const mask = Buffer.from(Uint8Array.from(shares, (share) => Math.round(share * 255)));
	const raw = { width: info.width, height: info.height, channels: 1 as const };
	const alpha = await sharp(mask, { raw })
		.resize(width, height, { fit: 'fill', kernel: 'cubic' })
		.blur(Math.max(0.5, width / info.width / 2))
		.linear(1.8, -110)
		.toColourspace('b-w')
		.raw()
		.toBuffer();
	if (picture.channels === 4) keepTransparency(alpha, picture.data);
	const rgb =
		picture.channels === 3 ? picture.data : await open(picture).removeAlpha().raw().toBuffer();
	// What cannot be seen only takes space, and might show the background elsewhere.
	for (let pixel = 0; pixel < alpha.length; pixel++) {
		if (alpha[pixel] === 0) rgb.fill(0, pixel * 3, pixel * 3 + 3);
	}
	return await open({ data: rgb, width, height, channels: 3 })
		.joinChannel(alpha, { raw: { width, height, channels: 1 } })
		.png()
		.withXmp(xmp)
		.toBuffer();
}

/** Multiplies a mask by the picture's own alpha channel. */
function keepTransparency(alpha: Buffer, rgba: Buffer): void {
	for (let pixel = 0; pixel < alpha.length; pixel++) {
		alpha[pixel] = Math.round(((alpha[pixel] ?? 0) * (rgba[pixel * 4 + 3] ?? 0)) / 255);
	}
}
