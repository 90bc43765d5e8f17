import { fieldReader } from '../../nodes/ImageGeneration/fields/field';
import type { Quality } from '../../nodes/ImageGeneration/fields/quality';
import { operationOf, operations } from '../../nodes/ImageGeneration/operations';
import { readSize, sizeFields } from '../../nodes/ImageGeneration/operations/size';

const RULE = '128 to 1536 in steps of 32';
const sizeOf = (
	size: unknown,
	width?: unknown,
	height?: unknown,
	quality: Quality = 'standard',
) => {
	const values: Record<string, unknown> = { size, width, height };
	return readSize(
		fieldReader(sizeFields, (name) => values[name]),
		quality,
	);
};

describe('a size', () => {
	it.each([
		['square', '512x512', '1024x1024'],
		['landscape', '1024x720', '1152x896'],
		['wide', '1024x576', '1216x832'],
		['portrait', '768x1024', '896x1152'],
		['tall', '576x1024', '832x1216'],
	])('%s is %s with Standard, and %s with every other quality', (shape, standard, higher) => {
		const pixels = (quality: Quality) => Object.values(sizeOf(shape, 1, 1, quality)).join('x');

		expect(pixels('standard')).toBe(standard);
		expect((['hd', 'genius', 'super_genius'] as const).map(pixels)).toEqual([
			higher,
			higher,
			higher,
		]);
	});

	it('says its pixels in the list', () => {
		const [, landscape] = sizeFields.size.property.options;

		expect(landscape).toMatchObject({
			name: 'Landscape',
			description: '1024 × 720 pixels with Standard, 1152 × 896 with the other qualities',
		});
	});

	it.each([
		['512x512', '512', '512'],
		[' 640 × 384 ', '640', '384'],
		['640X384', '640', '384'],
		['1024x720', '1024', '720'],
		['128x1536', '128', '1536'],
	])('is read from %j', (size, width, height) => {
		expect(sizeOf(size)).toEqual({ width, height });
		expect(sizeOf('custom', width, ` ${height}`)).toEqual({ width, height });
	});

	it.each([
		'about 512x512',
		'512x512px',
		'512',
		'x512',
		'512x',
		'5 12x512',
		'Square',
		'',
		512,
		null,
		['512x512'],
		['square'],
	])('rejects %j', (size) => {
		expect(() => sizeOf(size)).toThrow(
			new RegExp(
				`^'Size' is .*\\. Allowed: square, landscape, wide, portrait, tall, custom, or width x height, such as 640x384, each ${RULE}\\.$`,
			),
		);
	});

	it('names the side that is not a multiple of 32 or out of range', () => {
		expect(() => sizeOf('1024x721')).toThrow(`The height in 'Size' is "721". Allowed: ${RULE}.`);
		expect(() => sizeOf('96x512')).toThrow(`The width in 'Size' is "96". Allowed: ${RULE}.`);
	});

	it.each([
		['1024x721', 736],
		['96x512', 128],
		['1600x512', 1536],
	])('comes with the nearest allowed number if it is %s', (size, nearest) => {
		const [width, height] = size.split('x');
		expect(() => sizeOf('custom', width, height)).toThrow(
			expect.objectContaining({ advice: `Use ${nearest}, the nearest allowed number.` }) as Error,
		);
	});

	it('may be custom', () => {
		expect(sizeOf('custom', 160, '1536')).toEqual({ width: '160', height: '1536' });
		expect(() => sizeOf('custom', 1600, 512)).toThrow(`'Width' is "1600". Allowed: ${RULE}.`);
		expect(() => sizeOf('custom', 512, 'tall')).toThrow(`'Height' is "tall". Allowed: ${RULE}.`);
	});
});

describe('an operation', () => {
	it.each(Object.entries(operations))('is found by its value %s', (value, operation) => {
		expect(operationOf(value)).toBe(operation);
	});

	it('must be a known one', () => {
		expect(() => operationOf('paint')).toThrow(
			`'Operation' is "paint". Allowed: generate, removeBackground, edit.`,
		);
	});
});
