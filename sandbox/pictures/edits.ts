import sharp, { type Sharp } from 'sharp';
import { open, type Picture } from './decode';

/** Changes an image. */
export type Edit = (image: Sharp, picture: Picture) => Sharp | Promise<Sharp>;

type Matrix = [[number, number, number], [number, number, number], [number, number, number]];

const luma: [number, number, number] = [0.299, 0.587, 0.114];
const grey: Matrix = [luma, luma, luma];
const brown: Matrix = [
	[0.393, 0.769, 0.189],
	[0.349, 0.686, 0.168],
	[0.272, 0.534, 0.131],
];

/** Edits by name. */
export const edits = {
	grayscale: (image) => image.recomb(grey),
	sepia: (image) => image.recomb(brown),
	invert: (image) => image.negate({ alpha: false }),
	brighter: (image) => image.linear(1.2, 18),
	darker: (image) => image.linear(0.65, 0),
	'more contrast': (image) => image.linear(1.45, -58),
	'less contrast': (image) => image.linear(0.6, 51),
	'more colourful': (image) => image.modulate({ saturation: 1.7 }),
	'less colourful': (image) => image.modulate({ saturation: 0.5 }),
	warmer: (image) => image.linear([1.12, 1, 0.82], [6, 0, 0]),
	cooler: (image) => image.linear([0.84, 1, 1.14], [0, 0, 6]),
	blur: (image, { width, height }) => image.blur(Math.max(2, Math.max(width, height) / 120)),
	sharpen: (image) => image.sharpen({ sigma: 2, m1: 2, m2: 5 }),
	mirror: (image) => image.flop(),
	flip: (image) => image.flip(),
	square: (image, { width, height }) => {
		const side = Math.min(width, height);
		return image.resize(side, side, { fit: 'cover' });
	},
	pixelate,
	posterize,
} satisfies Record<string, Edit>;

export type EditName = keyof typeof edits;

/** @param degrees clockwise; negative turns counterclockwise */
export function rotate(degrees: number): Edit {
	return (image) => image.rotate(degrees, { background: '#fff' });
}

/** @param colour a CSS name */
export function tint(colour: string): Edit {
	return (image) => image.tint(colour);
}

/** @param colour a CSS name */
export function border(colour: string): Edit {
	return (image, { width, height }) => {
		const band = Math.max(4, Math.round(Math.max(width, height) * 0.04));
		const background = colour;
		return image.extend({ top: band, bottom: band, left: band, right: band, background });
	};
}

async function pixelate(image: Sharp, { width, height }: Picture): Promise<Sharp> {
	const block = Math.max(2, Math.round(Math.max(width, height) / 48));
	const [across, down] = [Math.ceil(width / block), Math.ceil(height / block)];
	const small = await image.resize(across, down, { fit: 'fill' }).raw().toBuffer();
	const blocks = open({ data: small, width: across, height: down, channels: 3 });
	return blocks.resize(width, height, { fit: 'fill', kernel: 'nearest' });
}

async function posterize(image: Sharp): Promise<Sharp> {
	const flat = image.median(5).modulate({ saturation: 1.4 });
	return sharp(await flat.png({ palette: true, colours: 10, dither: 0 }).toBuffer());
}
