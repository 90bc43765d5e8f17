import type { Sharp } from 'sharp';

export interface Size {
	width: number;
	height: number;
}

/** Changes an image of this size. */
export type Edit = (image: Sharp, size: Size) => Sharp;

type Matrix = [[number, number, number], [number, number, number], [number, number, number]];

/** The strongest blur, in pixels: what a blur costs grows with its radius. */
const maxBlur = 60;

/** An instruction of more steps is not understood. */
const maxSteps = 5;

const luma: [number, number, number] = [0.299, 0.587, 0.114];
const grey: Matrix = [luma, luma, luma];
const brown: Matrix = [
	[0.393, 0.769, 0.189],
	[0.349, 0.686, 0.168],
	[0.272, 0.534, 0.131],
];

/** Each edit with the phrases that ask for it, separated by `|`. */
const table: readonly (readonly [phrases: string, edit: Edit])[] = [
	[
		'black and white|grayscale|gray|monochrome|desaturate|remove the colors',
		(image) => image.recomb(grey),
	],
	['sepia|vintage', (image) => image.recomb(brown)],
	['invert|invert the colors|negative', (image) => image.negate({ alpha: false })],
	['brighter|brighten|lighter', (image) => image.linear(1.3, 0)],
	['darker|darken', (image) => image.linear(0.65, 0)],
	['more contrast|increase the contrast|add contrast', (image) => image.linear(1.45, -58)],
	['less contrast|reduce the contrast', (image) => image.linear(0.6, 51)],
	['more colorful|more saturated|more vivid', (image) => image.modulate({ saturation: 1.7 })],
	['less colorful|less saturated|muted', (image) => image.modulate({ saturation: 0.5 })],
	['warmer', (image) => image.linear([1.12, 1, 0.82], [6, 0, 0])],
	['cooler|colder', (image) => image.linear([0.84, 1, 1.14], [0, 0, 6])],
	['red|red tint|tint red|add a red tint', (image) => image.tint('red')],
	['green|green tint|tint green|add a green tint', (image) => image.tint('green')],
	['blue|blue tint|tint blue|add a blue tint', (image) => image.tint('blue')],
	[
		'blur|blurry|blurred',
		(image, { width, height }) => image.blur(Math.min(maxBlur, 2 + Math.max(width, height) / 120)),
	],
	['sharpen|sharper|sharp', (image) => image.sharpen({ sigma: 2, m1: 2, m2: 5 })],
	['mirror|flip|flip horizontally|mirror horizontally', (image) => image.flop()],
	['flip vertically|mirror vertically', (image) => image.flip()],
	['rotate|rotate right|turn right|rotate 90 degrees', (image) => image.rotate(90)],
	['rotate left|turn left|rotate 270 degrees', (image) => image.rotate(270)],
	['upside down|rotate 180 degrees', (image) => image.rotate(180)],
	[
		'crop to a square|make square',
		(image, { width, height }) => {
			const side = Math.min(width, height);
			return image.resize(side, side, { fit: 'cover' });
		},
	],
	['add a border|add a white border|add a white frame', border('#fff')],
	['add a black border|add a black frame', border('#000')],
];

const edits = new Map(
	table.flatMap(([phrases, edit]) => phrases.split('|').map((phrase) => [phrase, edit] as const)),
);

/**
 * Looks up the edits that an instruction asks for, in its order. Each of its clauses must be a phrase
 * of the table as a whole: a word more could be a negation, or name a part of the picture.
 *
 * @returns undefined if a part of the instruction is not understood
 */
export function findEdits(instruction: string): Edit[] | undefined {
	const clauses = spell(instruction).split(/(?:,| and| then)+ (?!white)/);
	const found = clauses.map(findEdit).filter((edit) => edit !== undefined);
	return found.length === clauses.length && found.length <= maxSteps ? found : undefined;
}

function findEdit(clause: string): Edit | undefined {
	return edits.get(clause) ?? edits.get(clause.replace(/^(make|(turn|convert)( into| to)?) /, ''));
}

/** Writes an instruction in one way: American, in lower case, without naming the whole picture. */
function spell(instruction: string): string {
	return instruction
		.toLowerCase()
		.replace(/grey/g, 'gray')
		.replace(/colour/g, 'color')
		.replace(/ & /g, ' and ')
		.replace(/[.!]$/, '')
		.replace(/\b(please|it|(the|this|my) (image|photo|picture))(?![\w'’-])/g, ' ')
		.replace(/\s+/g, ' ')
		.replace(/ ,/g, ',')
		.trim();
}

function border(background: string): Edit {
	return (image, { width, height }) => {
		const band = Math.max(4, Math.round(Math.min(width, height) * 0.04));
		return image.extend({
			top: band,
			bottom: band,
			left: band,
			right: band,
			background,
		});
	};
}
