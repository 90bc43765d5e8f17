import sharp, { type Sharp } from 'sharp';
import { pickPalette } from './palette';
import { Random } from './random';
import { drawScene, type Style } from './scene';

/** What to draw (specification 4.1). */
export interface PictureRequest {
	prompt: string;
	/** Colours and things to leave out; `text` or `words` leaves out the caption. */
	negative: string;
	/** standard, hd, genius or super_genius, with increasing detail and JPEG quality. */
	version: string;
	/** anime, photography, graphic, cinematic, or an empty string. */
	preference: string;
	/** In pixels. */
	width: number;
	/** In pixels. */
	height: number;
}

type Level = Pick<Style, 'ridges' | 'points'> & { quality: number };

const plain: Level = { ridges: 2, points: 5, quality: 78 };
const levels: Record<string, Level> = {
	standard: plain,
	hd: { ridges: 3, points: 8, quality: 86 },
	genius: { ridges: 5, points: 12, quality: 92 },
	super_genius: { ridges: 6, points: 16, quality: 94 },
};

interface Look {
	style?: Partial<Style>;
	finish: (picture: Sharp, request: PictureRequest) => Sharp;
}

const looks: Record<string, Look> = {
	anime: {
		style: { outline: 5 },
		finish: (picture) => picture.modulate({ saturation: 1.5, brightness: 1.06 }),
	},
	photography: {
		finish: (picture, request) =>
			picture.modulate({ saturation: 0.78 }).composite([vignette(request, 0.5)]),
	},
	graphic: {
		style: { straight: true },
		finish: (picture) => picture.modulate({ saturation: 1.25 }).linear(1.35, -40),
	},
	cinematic: {
		finish: (picture, request) =>
			picture
				.linear([1.12, 1.0, 0.92], [-4, -4, 10])
				.composite([vignette(request, 0.35), bars(request)]),
	},
};

/** Draws a JPEG of the requested size. The same request always gives the same bytes. */
export async function drawPicture(request: PictureRequest): Promise<Buffer> {
	const random = new Random(JSON.stringify([request.prompt, request.negative]));
	const unwanted = splitWords(request.negative);
	const words = splitWords(request.prompt).filter((word) => !unwanted.includes(word));
	const hasCaption = !unwanted.some((word) => /^(text|words?|captions?|letters?)$/.test(word));
	const { quality, ...level } = levels[request.version] ?? plain;
	const look = looks[request.preference];
	const style: Style = {
		...level,
		outline: 0,
		straight: false,
		caption: hasCaption ? request.prompt : '',
		...look?.style,
	};
	const svg = drawScene(request, words, pickPalette(words, unwanted, random), style, random);
	const picture = sharp(Buffer.from(svg)).flatten().toColourspace('srgb');
	return await (look?.finish(picture, request) ?? picture).jpeg({ quality }).toBuffer();
}

function splitWords(text: string): string[] {
	return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

function vignette({ width, height }: PictureRequest, strength: number): { input: Buffer } {
	return overlay(
		width,
		height,
		`<defs><radialGradient id="v"><stop offset="0.45" stop-opacity="0"/>\
<stop offset="1" stop-opacity="${strength}"/></radialGradient></defs>\
<rect width="100%" height="100%" fill="url(#v)"/>`,
	);
}

function bars({ width, height }: PictureRequest): { input: Buffer } {
	const bar = Math.round(height * 0.09);
	return overlay(
		width,
		height,
		`<rect width="100%" height="${bar}"/><rect y="${height - bar}" width="100%" height="${bar}"/>`,
	);
}

function overlay(width: number, height: number, content: string): { input: Buffer } {
	const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`;
	return { input: Buffer.from(`${open}${content}</svg>`) };
}
