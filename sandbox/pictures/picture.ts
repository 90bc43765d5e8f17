import sharp, { type Sharp } from 'sharp';
import type { Quality } from '../catalog';
import { captioned } from './caption';
import { pickPalette } from './palette';
import { Random } from './random';
import { drawScene } from './scene';

/** What to draw (specification 4.1). */
export interface PictureRequest {
	prompt: string;
	/** Colours and things to leave out. */
	negative: string;
	/** Better ones have more detail and a higher JPEG quality. */
	version: Quality;
	/** anime, photography, graphic, cinematic, or an empty string. */
	preference: string;
	/** In pixels. */
	width: number;
	/** In pixels. */
	height: number;
}

const levels: Record<Quality, { ridges: number; quality: number }> = {
	standard: { ridges: 2, quality: 78 },
	hd: { ridges: 3, quality: 86 },
	genius: { ridges: 5, quality: 92 },
	super_genius: { ridges: 6, quality: 94 },
};

const looks = new Map<string, (picture: Sharp) => Sharp>([
	['anime', (picture) => picture.modulate({ saturation: 1.5, brightness: 1.06 })],
	['photography', (picture) => picture.modulate({ saturation: 0.78 })],
	['graphic', (picture) => picture.linear(1.35, -40)],
	['cinematic', (picture) => picture.linear([1.12, 1, 0.92], [-4, -4, 10])],
]);

/** Writes a JPEG of the requested size. The same request always gives the same bytes. */
export async function drawPicture(request: PictureRequest, file: string): Promise<void> {
	const { prompt, version, preference, width, height } = request;
	const { ridges, quality } = levels[version];
	const unwanted = splitWords(request.negative);
	const words = splitWords(prompt).filter((word) => !unwanted.includes(word));
	const palette = pickPalette(words, new Random(prompt));
	const scene = { words: splitWords(prompt), unwanted, ridges, palette, width, height };
	const svg = drawScene(scene, new Random(prompt));
	const picture = sharp(Buffer.from(svg)).flatten().toColourspace('srgb');
	const finished = looks.get(preference)?.(picture) ?? picture;
	const hasCaption = !unwanted.some((word) => /^(text|words?|letters?|lettering)$/.test(word));
	if (hasCaption) finished.composite([{ input: captioned(prompt, { width, height }) }]);
	await finished.jpeg({ quality }).toFile(file);
}

function splitWords(text: string): string[] {
	return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
