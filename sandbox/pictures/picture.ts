import sharp, { type Sharp } from 'sharp';
import type { Quality } from '../catalog';
import { drawCaption } from './caption';
import { pickPalette } from './palette';
import { Random } from './random';
import { drawScene } from './scene';
import type { Style } from './style';
import { writeJpeg } from './writeJpeg';

/** What to draw (specification 4.1). */
export interface PictureRequest {
	prompt: string;
	/** Colours and things to leave out. The rest of the picture stays as it is. */
	negative: string;
	/** Better ones have more detail and a higher JPEG quality. */
	version: Quality;
	/** anime, photography, graphic, cinematic, or an empty string. */
	preference: string;
	/** In pixels. */
	width: number;
	/** In pixels. */
	height: number;
	xmp: string;
}

type Level = Pick<Style, 'ridges' | 'points'> & { quality: number };

const levels: Record<Quality, Level> = {
	standard: {
		ridges: 2,
		points: 5,
		quality: 78,
	},
	hd: {
		ridges: 3,
		points: 8,
		quality: 86,
	},
	genius: {
		ridges: 5,
		points: 12,
		quality: 92,
	},
	super_genius: {
		ridges: 6,
		points: 16,
		quality: 94,
	},
};

interface Look {
	style?: Partial<Style>;
	finish: (picture: Sharp) => Sharp;
	/** Drawn over the picture, as SVG. */
	overlay?: (request: PictureRequest) => string;
}

const looks: Record<string, Look> = {
	anime: {
		style: { outline: 5 },
		finish: (picture) => picture.modulate({ saturation: 1.5, brightness: 1.06 }),
	},
	photography: {
		finish: (picture) => picture.modulate({ saturation: 0.78 }),
		overlay: () => vignette(0.5),
	},
	graphic: {
		style: { straight: true },
		finish: (picture) => picture.modulate({ saturation: 1.25 }).linear(1.35, -40),
	},
	cinematic: {
		finish: (picture) => picture.linear([1.12, 1.0, 0.92], [-4, -4, 10]),
		overlay: (request) => vignette(0.35) + bars(request),
	},
};

const captionWords = /^(text|word|caption|letter|lettering|writing)s?$/;

/** Writes a JPEG of the requested size. The same request always gives the same bytes. */
export async function drawPicture(request: PictureRequest, file: string): Promise<void> {
	const unwanted = splitWords(request.negative);
	const words = splitWords(request.prompt);
	const { quality, ...level } = levels[request.version];
	const look = looks[request.preference];
	const style: Style = {
		...level,
		outline: 0,
		straight: false,
		...look?.style,
	};
	const palette = pickPalette(words, unwanted, new Random(request.prompt));
	const svg = drawScene(request, { words, unwanted }, palette, style, new Random(request.prompt));
	const picture = sharp(Buffer.from(svg)).flatten().toColourspace('srgb');
	const { width, height } = request;
	const isSilent = unwanted.some((word) => captionWords.test(word));
	const over = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">\
${look?.overlay?.(request) ?? ''}${isSilent ? '' : drawCaption(request.prompt, width, height)}</svg>`;
	const finished = look?.finish(picture) ?? picture;
	await writeJpeg(finished.composite([{ input: Buffer.from(over) }]), quality, request.xmp, file);
}

function splitWords(text: string): string[] {
	return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

function vignette(strength: number): string {
	return `<defs><radialGradient id="v"><stop offset="0.45" stop-opacity="0"/>\
<stop offset="1" stop-opacity="${strength}"/></radialGradient></defs>\
<rect width="100%" height="100%" fill="url(#v)"/>`;
}

function bars({ height }: PictureRequest): string {
	const bar = Math.round(height * 0.09);
	return `<rect width="100%" height="${bar}"/>\
<rect y="${height - bar}" width="100%" height="${bar}"/>`;
}
