import type { Field, Fields, ValuesOf } from '../fields/field';
import type { Quality } from '../fields/quality';
import { asNumber, notAllowed } from '../fields/readValue';

/** The recommended width and height of each shape in pixels (section 4.1). */
const SHAPES = [
	{ name: 'Square', value: 'square', standard: '512 × 512', higher: '1024 × 1024' },
	{ name: 'Landscape', value: 'landscape', standard: '1024 × 720', higher: '1152 × 896' },
	{ name: 'Wide', value: 'wide', standard: '1024 × 576', higher: '1216 × 832' },
	{ name: 'Portrait', value: 'portrait', standard: '768 × 1024', higher: '896 × 1152' },
	{ name: 'Tall', value: 'tall', standard: '576 × 1024', higher: '832 × 1216' },
];

/** Limits of width and height in pixels (section 4.1). */
const SIDE = { min: 128, max: 1536, step: 32 };
const RULE = `${SIDE.min} to ${SIDE.max} in steps of ${SIDE.step}`;

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
				{ name: 'Custom', value: 'custom', description: `Your own width and height, ${RULE}` },
			],
			builderHint: {
				propertyHint:
					'Choose a shape. Use custom, or an expression such as 640x384, only if exact pixels are asked for.',
			},
			default: 'square',
			description:
				"The shape of the image. 'Quality' decides how many pixels it has. An expression can also set them, such as 640x384.",
		},
		read: (value) => value,
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
		read: (value) => value,
	};
}

/**
 * The width and height to send.
 * @throws BadInput unless the size is recommended, or both sides are 128 to 1536 in steps of 32
 * (section 4.1).
 */
export function toPixels(fields: Partial<ValuesOf<typeof sizeFields>>, quality?: Quality) {
	const shape = SHAPES.find(({ value }) => value === fields.size);
	const size = shape?.[quality === 'standard' ? 'standard' : 'higher'] ?? fields.size;
	const isCustom = size === 'custom';
	const [width, height] = isCustom ? [fields.width, fields.height] : sidesIn(size);
	// This recommended height is not a multiple of 32.
	const isLandscape = asNumber(width) === 1024 && asNumber(height) === 720;
	return {
		width: toSide(isCustom ? "'Width'" : "The width in 'Size'", width),
		height: isLandscape ? '720' : toSide(isCustom ? "'Height'" : "The height in 'Size'", height),
	};
}

/** The sides of a size such as `640x384`. */
function sidesIn(size: unknown): unknown[] {
	const found = typeof size === 'string' && /^\s*(\d+)\s*[x×]\s*(\d+)\s*$/i.exec(size);
	if (found) return found.slice(1);
	const shapes = SHAPES.map(({ value }) => value).join(', ');
	const pixels = `width x height, such as 640x384, each ${RULE}`;
	throw notAllowed("'Size'", size, `${shapes}, custom, or ${pixels}`);
}

/** @throws BadInput unless it is 128 to 1536 in steps of 32. */
function toSide(name: string, value: unknown): string {
	const pixels = asNumber(value);
	const multiple = Math.round(pixels / SIDE.step) * SIDE.step;
	const nearest = Math.min(SIDE.max, Math.max(SIDE.min, multiple));
	if (pixels === nearest) return String(pixels);
	const advice = `Use ${nearest}, the nearest allowed number.`;
	throw notAllowed(name, value, RULE, Number.isFinite(pixels) ? advice : undefined);
}
