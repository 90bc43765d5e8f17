import sharp, { type Sharp } from 'sharp';
import { maxPixels, maxSide, open, type Picture } from './decode';

/** Changes an image. */
export type Edit = (image: Sharp, picture: Picture) => Sharp | Promise<Sharp>;

/** @param by how strongly: a share if the edit has a usual one, otherwise 1 is usual */
type ScaledEdit = (image: Sharp, picture: Picture, by: number) => Sharp | Promise<Sharp>;

type Size = Pick<Picture, 'width' | 'height'>;

type Matrix = [[number, number, number], [number, number, number], [number, number, number]];

/** The strongest blur, in pixels: what a blur costs grows with its radius. */
const maxBlur = 60;

/** The longer side of a cartoon while it is drawn: its areas are flat, so nobody sees the difference. */
const cartoonSide = 2000;

const luma: [number, number, number] = [0.299, 0.587, 0.114];
const grey: Matrix = [luma, luma, luma];
const brown: Matrix = [
	[0.393, 0.769, 0.189],
	[0.349, 0.686, 0.168],
	[0.272, 0.534, 0.131],
];

/** The edits that can be asked for in percent, and their usual share. */
export const usualShare: Partial<Record<EditName, number>> = {
	brighter: 0.3,
	darker: 0.35,
	'more contrast': 0.45,
	'less contrast': 0.4,
	'more colourful': 0.7,
	'less colourful': 0.5,
};

/** Edits by name. */
export const edits = {
	grayscale: (image) => image.recomb(grey),
	sepia: (image) => image.recomb(brown),
	invert: (image) => image.negate({ alpha: false }),
	brighter: (image, _picture, by) => image.linear(1 + by, 0),
	darker: (image, _picture, by) => image.linear(1 - by, 0),
	'more contrast': (image, _picture, by) => image.linear(1 + by, -128 * by),
	'less contrast': (image, _picture, by) => image.linear(1 - by, 128 * by),
	'more colourful': (image, _picture, by) => image.modulate({ saturation: 1 + by }),
	'less colourful': (image, _picture, by) => image.modulate({ saturation: 1 - by }),
	warmer: (image, _picture, by) => image.linear([1 + 0.12 * by, 1, 1 - 0.18 * by], [6, 0, 0]),
	cooler: (image, _picture, by) => image.linear([1 - 0.16 * by, 1, 1 + 0.14 * by], [0, 0, 6]),
	blur: (image, { width, height }, by) =>
		image.blur(Math.min(maxBlur, (2 + Math.max(width, height) / 120) * by)),
	sharpen: (image, _picture, by) => image.sharpen({ sigma: 2 * by, m1: 2, m2: 5 }),
	mirror: (image) => image.flop(),
	flip: (image) => image.flip(),
	square: (image, { width, height }) => {
		const side = Math.min(width, height);
		return image.resize(side, side, { fit: 'cover' });
	},
	pixelate,
	posterize,
} satisfies Record<string, ScaledEdit>;

export type EditName = keyof typeof edits;

export function isEditName(name: string | undefined): name is EditName {
	return name !== undefined && Object.hasOwn(edits, name);
}

/** @param degrees clockwise; negative turns counterclockwise */
export function rotate(degrees: number): Edit {
	const angle = (degrees * Math.PI) / 180;
	const sine = Math.abs(Math.sin(angle));
	const cosine = Math.abs(Math.cos(angle));
	return (image, { width, height }) => {
		const scale = scaleFor(width * cosine + height * sine, width * sine + height * cosine);
		return resize(image, { width, height }, scale).rotate(degrees, { background: '#fff' });
	};
}

/** @param colour a CSS name */
export function tint(colour: string): Edit {
	return (image) => image.tint(colour);
}

/** @param colour a CSS name */
export function border(colour: string): Edit {
	return (image, { width, height }) => {
		const wanted = Math.max(4, Math.round(Math.max(width, height) * 0.04));
		const scale = scaleFor(width + 2 * wanted, height + 2 * wanted);
		const band = Math.round(wanted * scale);
		return resize(image, { width, height }, scale).extend({
			top: band,
			bottom: band,
			left: band,
			right: band,
			background: colour,
		});
	};
}

/** By how much a picture must be made smaller so that it stays within the limits for images; 1 if it does. */
function scaleFor(width: number, height: number): number {
	return Math.min(1, maxSide / Math.max(width, height), Math.sqrt(maxPixels / (width * height)));
}

function resize(image: Sharp, { width, height }: Size, scale: number): Sharp {
	if (scale === 1) return image;
	const across = Math.max(1, Math.floor(width * scale));
	const down = Math.max(1, Math.floor(height * scale));
	return image.resize(across, down, { fit: 'fill' });
}

async function pixelate(image: Sharp, { width, height }: Picture): Promise<Sharp> {
	const block = Math.max(2, Math.round(Math.max(width, height) / 48));
	const across = Math.ceil(width / block);
	const down = Math.ceil(height / block);
	const small = await image.resize(across, down, { fit: 'fill' }).raw().toBuffer();
	const blocks = open({ data: small, width: across, height: down });
	return blocks.resize(width, height, { fit: 'fill', kernel: 'nearest' });
}

async function posterize(image: Sharp, { width, height }: Picture): Promise<Sharp> {
	const scale = Math.min(1, cartoonSide / Math.max(width, height));
	const small = resize(image, { width, height }, scale);
	const flat = small.median(Math.min(5, width, height)).modulate({ saturation: 1.4 });
	const drawn = sharp(
		await flat
			.png({
				palette: true,
				colours: 10,
				dither: 0,
			})
			.toBuffer(),
	);
	return scale === 1 ? drawn : drawn.resize(width, height, { fit: 'fill', kernel: 'nearest' });
}
