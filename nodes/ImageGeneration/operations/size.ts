import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';
import { asNumber } from '../fields/check';
import { defineFields } from '../fields/defineFields';
import type { Version } from '../fields/version';
import type { Field, NameOf, ReadParameter } from '../types';

/** A recommended size (section 4.1), and the common name of its shape. */
interface RecommendedSize {
	value: string;
	shape: string;
}

/** The first one is the default. */
type RecommendedSizes = readonly [RecommendedSize, ...RecommendedSize[]];

const STANDARD: RecommendedSizes = [
	{ value: '512x512', shape: 'Square 1:1' },
	{ value: '1024x576', shape: 'Landscape 16:9' },
	{ value: '1024x720', shape: 'Landscape, About 10:7' },
	{ value: '768x1024', shape: 'Portrait 3:4' },
	{ value: '576x1024', shape: 'Portrait 9:16' },
];
const HD: RecommendedSizes = [
	{ value: '1024x1024', shape: 'Square 1:1' },
	{ value: '1216x832', shape: 'Landscape, About 3:2' },
	{ value: '1152x896', shape: 'Landscape 9:7' },
	{ value: '896x1152', shape: 'Portrait 7:9' },
	{ value: '832x1216', shape: 'Portrait, About 2:3' },
];
const RECOMMENDED: RecommendedSizes = [...STANDARD, ...HD];

/** Limits of width and height in pixels (section 4.1). */
const SIDE = { min: 128, max: 1536, step: 32 };
const DEFAULT_SIDE = 512;
const RULE = `${SIDE.min} to ${SIDE.max} in steps of ${SIDE.step}`;
const QUALITIES: readonly Version[] = ['standard', 'hd', 'genius', 'super_genius'];

/**
 * The size of a generated image: one recommended for the chosen quality, or any allowed size. Each
 * quality has its own field named `size`, with its own list and default.
 */
export const sizeFields = defineFields([
	sizeField(STANDARD, allBut('standard')),
	sizeField(HD, allBut('hd')),
	sizeField(HD, allBut('genius')),
	{
		...sizeField(HD, allBut('super_genius')),
		hint: "Sets the shape. 'Resolution' sets how large the image is.",
	},
	// For a quality set by an expression.
	sizeField(RECOMMENDED, QUALITIES),
	sideField('Width', 'width'),
	sideField('Height', 'height'),
]);

/**
 * Reads the width and height. Section 4.1 recommends 1024x720 although 720 is not a multiple of 32, so
 * recommended sizes are sent unchecked.
 * @throws BadInput unless the size is recommended, or both sides are 128 to 1536 in steps of 32
 * (section 4.1).
 */
export function readSize(read: ReadParameter<NameOf<typeof sizeFields>>): {
	width: string;
	height: string;
} {
	const size = read('size');
	if (size === 'custom') {
		return {
			width: parseSide("'Width'", read('width')),
			height: parseSide("'Height'", read('height')),
		};
	}
	const [, width, height] =
		typeof size === 'string' ? (/^\s*(\d+)\s*[x×]\s*(\d+)\s*$/i.exec(size) ?? []) : [];
	if (width === undefined || height === undefined) {
		throw new BadInput(
			`'Size' is ${quote(size)}. Allowed: width x height, such as 512x512, each ${RULE}.`,
		);
	}
	if (RECOMMENDED.some(({ value }) => value === `${width}x${height}`)) return { width, height };
	return {
		width: parseSide("The width in 'Size'", width),
		height: parseSide("The height in 'Size'", height),
	};
}

/**
 * A field of recommended sizes.
 * @param hiddenFor The condition must hide, not show: if the quality is an expression, n8n treats
 * every `show` condition as met and would display all these fields (2.40.3, 1.123.81).
 */
function sizeField(
	sizes: RecommendedSizes,
	hiddenFor: ReadonlyArray<Version | ReturnType<typeof allBut>[number]>,
): Field<'size'> {
	const [{ value: first }] = sizes;
	return {
		displayName: 'Size',
		name: 'size',
		type: 'options',
		options: [
			...sizes.map(({ value, shape }) => ({
				name: `${shape} (${value.replace('x', ' × ')})`,
				value,
			})),
			{ name: 'Custom', value: 'custom', description: `Set your own width and height, ${RULE}` },
		],
		default: first,
		description: 'In pixels. An expression can set any size, e.g. <code>640x384</code>.',
		displayOptions: { hide: { version: [...hiddenFor] } },
	};
}

/** Matches every other quality, and an expression with an unknown value. */
function allBut(quality: Version) {
	return [{ _cnd: { not: quality } }];
}

function sideField<const Name extends string>(displayName: string, name: Name): Field<Name> {
	return {
		displayName,
		name,
		type: 'number',
		default: DEFAULT_SIDE,
		// Without minValue and maxValue, like every number option (fields/options.ts).
		typeOptions: { numberStepSize: SIDE.step },
		hint: `In pixels, ${RULE}`,
		description: 'Images may look odd above about 700 or below 256 pixels',
		displayOptions: { show: { size: ['custom'] } },
	};
}

function parseSide(name: string, value: unknown): string {
	const pixels = asNumber(value);
	if (pixels >= SIDE.min && pixels <= SIDE.max && pixels % SIDE.step === 0) return String(pixels);
	throw new BadInput(`${name} is ${quote(value)}. Allowed: ${RULE}${nearestHint(pixels)}.`);
}

function nearestHint(pixels: number): string {
	if (!Number.isFinite(pixels)) return '';
	const nearest = Math.round(pixels / SIDE.step) * SIDE.step;
	return `; the nearest is ${Math.min(SIDE.max, Math.max(SIDE.min, nearest))}`;
}
