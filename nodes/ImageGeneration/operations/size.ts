import type { Field, Fields, ValuesOf } from '../fields/field';
import type { Quality } from '../fields/quality';
import { asNumber, findChoice, notAllowed, type Choice } from '../fields/readValue';

/** A shape, and its width and height in pixels: with Standard, and with the other qualities. */
interface Shape extends Choice {
	standard: string;
	higher: string;
}

/** The recommended sizes (section 4.1), and the shape of a post in a feed. */
const SHAPES: readonly Shape[] = [
	{ name: 'Square', value: 'square', standard: '512 × 512', higher: '1024 × 1024' },
	{ name: 'Landscape', value: 'landscape', standard: '1024 × 720', higher: '1152 × 896' },
	{ name: 'Wide', value: 'wide', standard: '1024 × 576', higher: '1216 × 832' },
	{ name: 'Portrait', value: 'portrait', standard: '768 × 1024', higher: '896 × 1152' },
	{ name: 'Feed (4:5)', value: 'feed', standard: '512 × 640', higher: '1024 × 1280' },
	{ name: 'Tall', value: 'tall', standard: '576 × 1024', higher: '832 × 1216' },
];

/** Limits of width and height in pixels (section 4.1). */
const SIDE = { min: 128, max: 1536, step: 32 };
const RULE = `${SIDE.min} to ${SIDE.max} in steps of ${SIDE.step}`;

const CUSTOM = {
	name: 'Custom',
	value: 'custom',
	description: `Your own width and height, ${RULE}`,
};

/** The size of a generated image: a shape, whose pixels follow from the quality, or any allowed size. */
export const sizeFields = {
	size: {
		property: {
			displayName: 'Size',
			type: 'options',
			options: [
				...SHAPES.map(({ name, value, standard, higher }) => ({
					name,
					value,
					description: `${standard} pixels with Standard, ${higher} with the other qualities`,
				})),
				CUSTOM,
			],
			builderHint: {
				propertyHint:
					'Choose a shape. Use custom, or an expression such as 640x384, only if exact pixels are asked for.',
			},
			default: 'square',
			description:
				"The shape of the image. 'Quality' decides how many pixels it has. An expression can also set them, such as 640x384.",
		},
		absent: SHAPES[0]?.value,
		read: (value) => findChoice(value, [...SHAPES, CUSTOM]) ?? value,
	},
	width: sideField('Width', 'wide'),
	height: sideField('Height', 'high'),
} satisfies Fields;

function sideField(displayName: string, dimension: string): Field {
	return {
		property: {
			displayName,
			type: 'number',
			default: 512,
			// Without minValue and maxValue, like every number (fields/field.ts).
			typeOptions: { numberStepSize: SIDE.step },
			hint: `In pixels, ${RULE}`,
			description: `How ${dimension} the image is. Above about 700 or below 256 pixels, images may look strange.`,
			displayOptions: { show: { size: ['custom'] } },
		},
		absent: 512,
		// Not a `wholeNumber`: `toPixels` checks both sides together.
		read: (value) => value,
	};
}

/**
 * The width and height to send.
 * @throws BadInput unless the size is recommended, or both sides are 128 to 1536 in steps of 32
 * (section 4.1).
 */
export function toPixels(
	{ size, width, height }: Partial<ValuesOf<typeof sizeFields>>,
	quality: Quality = 'standard',
): { width: string; height: string } {
	if (size === CUSTOM.value) return customSize(width, height);
	const shape = SHAPES.find(({ value }) => value === size);
	const text = shape?.[quality === 'standard' ? 'standard' : 'higher'] ?? size;
	const sides = sidesIn(text);
	if (!isAllowed(sides)) throw notAllowed("'Size'", text, `each side ${RULE}`);
	return toParts(sides);
}

/** Width and height in pixels. */
type Sides = readonly [width: number, height: number];

const RECOMMENDED = SHAPES.flatMap(({ standard, higher }) => [sidesIn(standard), sidesIn(higher)]);

function customSize(width: unknown, height: unknown): { width: string; height: string } {
	const sides: Sides = [asNumber(width), asNumber(height)];
	if (isAllowed(sides)) return toParts(sides);
	if (!isSide(sides[0])) throw notAllowed("'Width'", width, RULE);
	throw notAllowed("'Height'", height, RULE);
}

function toParts([width, height]: Sides): { width: string; height: string } {
	return { width: String(width), height: String(height) };
}

/** The sides of a size such as `640x384`. */
function sidesIn(size: unknown): Sides {
	const [, width, height] =
		(typeof size === 'string' && /^\s*(\d+)\s*[x×]\s*(\d+)\s*$/i.exec(size)) || [];
	if (width !== undefined && height !== undefined) return [Number(width), Number(height)];
	const shapes = SHAPES.map(({ value }) => value).join(', ');
	const pixels = `width x height, such as 640x384, each ${RULE}`;
	throw notAllowed("'Size'", size, `${shapes}, custom, or ${pixels}`);
}

function isAllowed(sides: Sides): boolean {
	// One recommended height is not a multiple of 32.
	return sides.every(isSide) || RECOMMENDED.some((recommended) => isSame(recommended, sides));
}

function isSame([width, height]: Sides, [otherWidth, otherHeight]: Sides): boolean {
	return width === otherWidth && height === otherHeight;
}

function isSide(pixels: number): boolean {
	return pixels >= SIDE.min && pixels <= SIDE.max && pixels % SIDE.step === 0;
}
