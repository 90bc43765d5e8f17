import type { INodePropertyOptions } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';
import { asNumber } from '../fields/check';
import { defineFields } from '../fields/defineFields';
import type { Field, NameOf, ReadParameter } from '../types';

const STANDARD = ['1024x576', '1024x720', '512x512', '576x1024', '768x1024'];
const HD = ['1024x1024', '1152x896', '1216x832', '832x1216', '896x1152'];

/** Pixels of a side (section 4.1). */
const SIDE = { min: 128, max: 1536, step: 32 };
const DEFAULT_SIDE = 512;
const RULE = `${SIDE.min} to ${SIDE.max} in steps of ${SIDE.step}`;
const STRANGE = 'Values above about 700 or below 256 may look strange';

const SIZES: INodePropertyOptions[] = [
	{ name: 'Custom', value: 'custom', description: `Width and height of your own, ${RULE}` },
	...sizeOptions(HD, 'HD'),
	...sizeOptions(STANDARD, 'Standard'),
];

/** The size of a generated image: the recommended ones of section 4.1, or any that is allowed. */
export const sizeFields = defineFields([
	{
		displayName: 'Size',
		name: 'size',
		type: 'options',
		options: SIZES,
		default: '512x512',
		description:
			'Width x height in pixels. Choose a Standard size for the quality Standard, an HD size for the others. An expression may give any size, e.g. <code>640x384</code>.',
	},
	sideField('Width', 'width'),
	sideField('Height', 'height'),
]);

/**
 * Section 4.1 recommends 1024x720, though 720 is no multiple of 32; a recommended size goes out as
 * it is.
 * @throws BadInput unless the size is a recommended one, or both sides are 128 to 1536 in steps of
 * 32 (section 4.1).
 */
export function readSize(read: ReadParameter<NameOf<typeof sizeFields>>): {
	width: string;
	height: string;
} {
	const size = read('size');
	if (size === 'custom') {
		return { width: side('Width', read('width')), height: side('Height', read('height')) };
	}
	const [, width, height] =
		typeof size === 'string' ? (/^\s*(\d+)\s*[x×]\s*(\d+)\s*$/i.exec(size) ?? []) : [];
	if (width === undefined || height === undefined) {
		throw new BadInput(
			`'Size' is ${quote(size)}. Allowed: width x height such as 512x512, each ${RULE}.`,
		);
	}
	if ([...HD, ...STANDARD].includes(`${width}x${height}`)) return { width, height };
	return { width: side('Width of Size', width), height: side('Height of Size', height) };
}

function sizeOptions(sizes: string[], tier: string): INodePropertyOptions[] {
	return sizes.map((value) => ({ name: `${tier} ${value} (${shape(value)})`, value }));
}

function shape(size: string): string {
	const [width = 0, height = 0] = size.split('x').map(Number);
	if (width === height) return 'Square';
	return width > height ? 'Landscape' : 'Portrait';
}

function sideField<const Name extends string>(displayName: string, name: Name): Field<Name> {
	return {
		displayName,
		name,
		type: 'number',
		default: DEFAULT_SIDE,
		typeOptions: { minValue: SIDE.min, maxValue: SIDE.max, numberStepSize: SIDE.step },
		hint: STRANGE,
		description: `In pixels, ${RULE}`,
		displayOptions: { show: { size: ['custom'] } },
	};
}

function side(field: string, value: unknown): string {
	const pixels = asNumber(value);
	if (pixels >= SIDE.min && pixels <= SIDE.max && pixels % SIDE.step === 0) return String(pixels);
	throw new BadInput(`'${field}' is ${quote(value)}. Allowed: ${RULE}${nearest(pixels)}.`);
}

function nearest(pixels: number): string {
	if (!Number.isFinite(pixels)) return '';
	const nearest = Math.round(pixels / SIDE.step) * SIDE.step;
	return `; the nearest is ${Math.min(SIDE.max, Math.max(SIDE.min, nearest))}`;
}
