import sharp from 'sharp';
import { open, type Picture } from './decode';
import { cleaned } from './mask';
import { segment } from './segment';

/** Pixels of the longer side at which subject and background are told apart. */
const workingEdge = 144;

/**
 * Cuts the subject out of a picture: a PNG of the same size whose background is transparent and
 * whose edge is soft. Transparency that was there already stays.
 */
export async function cutOut(picture: Picture): Promise<Buffer> {
	const { width, height } = picture;
	const { data, info } = await open(picture)
		.flatten({ background: '#fff' })
		.resize(workingEdge, workingEdge, { fit: 'inside', withoutEnlargement: true })
		.raw()
		.toBuffer({ resolveWithObject: true });
	const small = { data, width: info.width, height: info.height };
	const likely = cleaned({ values: segment(small), width: info.width, height: info.height });
	const mask = Buffer.from(Uint8Array.from(likely, (share) => Math.round(share * 255)));
	const raw = { width: info.width, height: info.height, channels: 1 as const };
	const alpha = await sharp(mask, { raw })
		.resize(width, height, { fit: 'fill', kernel: 'cubic' })
		.blur(Math.max(0.5, width / info.width / 2))
		.linear(1.8, -110)
		.toColourspace('b-w')
		.raw()
		.toBuffer();
	if (picture.channels === 4) multiply(alpha, picture.data);
	const rgb =
		picture.channels === 3 ? picture.data : await open(picture).removeAlpha().raw().toBuffer();
	return await open({ data: rgb, width, height, channels: 3 })
		.joinChannel(alpha, { raw: { width, height, channels: 1 } })
		.png()
		.toBuffer();
}

/** Only pictures that came with transparency pay for this loop over every pixel. */
function multiply(alpha: Buffer, rgba: Buffer): void {
	for (let pixel = 0; pixel < alpha.length; pixel++) {
		alpha[pixel] = Math.round(((alpha[pixel] ?? 0) * (rgba[pixel * 4 + 3] ?? 0)) / 255);
	}
}
