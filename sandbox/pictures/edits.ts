import sharp, { type Sharp } from 'sharp';
import { open, type Picture } from './decode';

/** A plain instruction and what it does to the pixels. */
export interface Edit {
	words: RegExp;
	apply(image: Sharp, picture: Picture, match: RegExpMatchArray): Sharp | Promise<Sharp>;
}

type Matrix = [[number, number, number], [number, number, number], [number, number, number]];

const luma: [number, number, number] = [0.299, 0.587, 0.114];
const grey: Matrix = [luma, luma, luma];
const sepia: Matrix = [
	[0.393, 0.769, 0.189],
	[0.349, 0.686, 0.168],
	[0.272, 0.534, 0.131],
];

/** The instructions understood. Where two match the same words, the earlier one here counts. */
export const edits: readonly Edit[] = [
	{
		words: /black[- ](and|&)[- ]white|gr[ae]y[- ]?scale|monochrome|desaturate|\bb&w\b|colou?rless/,
		apply: (image) => image.recomb(grey),
	},
	{
		words: /sepia|vintage|old[- ]fashioned|old photo/,
		apply: (image) => image.recomb(sepia),
	},
	{
		words: /upside[- ]down|(rotate|turn)\D{0,20}180/,
		apply: (image) => image.rotate(180),
	},
	{
		words: /(rotate|turn)\D{0,20}(left|counter[- ]?clockwise|anti[- ]?clockwise|270)/,
		apply: (image) => image.rotate(270),
	},
	{
		words: /(rotate|turn)\D{0,20}(right|clockwise|90)|\brotate\b(?! (by )?\d)/,
		apply: (image) => image.rotate(90),
	},
	{
		words: /rotate (?:by )?(\d{1,3})/,
		apply: (image, _picture, match) => image.rotate(Number(match[1]), { background: '#fff' }),
	},
	{
		words: /flip\D{0,20}vertical\w*|vertical\w*\D{0,10}(flip|mirror)/,
		apply: (image) => image.flip(),
	},
	{ words: /mirror\w*|\bflip\w*/, apply: (image) => image.flop() },
	{
		words: /\bblur\w*|out of focus|\bsoften/,
		apply: (image, { width, height }) => image.blur(Math.max(2, Math.max(width, height) / 120)),
	},
	{ words: /sharp\w*|crisp\w*/, apply: (image) => image.sharpen({ sigma: 2, m1: 2, m2: 5 }) },
	{ words: /bright\w*|lighte[nr]\w*/, apply: (image) => image.linear(1.2, 18) },
	{ words: /dark\w*/, apply: (image) => image.linear(0.65, 0) },
	{ words: /invert\w*|negative/, apply: (image) => image.negate({ alpha: false }) },
	{
		words: /less contrast|lower(?: the)? contrast|low[- ]contrast/,
		apply: (image) => image.linear(0.6, 51),
	},
	{ words: /contrast\w*|dramatic/, apply: (image) => image.linear(1.45, -58) },
	{
		words: /less (saturat\w*|colou?rful)|\bmuted|\bpale\b/,
		apply: (image) => image.modulate({ saturation: 0.5 }),
	},
	{
		words: /saturat\w*|colou?rful|vibrant|vivid/,
		apply: (image) => image.modulate({ saturation: 1.7 }),
	},
	{ words: /warm\w*/, apply: (image) => image.linear([1.12, 1, 0.82], [6, 0, 0]) },
	{ words: /\bcool\w*|\bcold\w*/, apply: (image) => image.linear([0.84, 1, 1.14], [0, 0, 6]) },
	{
		words: /\bsquare\b/,
		apply: (image, { width, height }) => {
			const side = Math.min(width, height);
			return image.resize(side, side, { fit: 'cover' });
		},
	},
	{ words: /pixel\w*|mosaic/, apply: pixelate },
	{ words: /cartoon\w*|poster\w*|comic/, apply: posterize },
	{
		words: /(black )?\b(border|frame)\w*/,
		apply: (image, { width, height }, match) => {
			const band = Math.max(4, Math.round(Math.max(width, height) * 0.04));
			const background = match[1] ? '#000' : '#fff';
			return image.extend({ top: band, bottom: band, left: band, right: band, background });
		},
	},
	{
		words: /\b(?:red|orange|yellow|green|blue|purple|pink)\b/,
		apply: (image, _picture, match) => image.tint(match[0]),
	},
];

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
