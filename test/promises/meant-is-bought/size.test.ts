import { readFields } from '../../../nodes/ImageGeneration/fields/field';
import type { Quality } from '../../../nodes/ImageGeneration/fields/quality';
import { operationOf } from '../../../nodes/ImageGeneration/operations';
import { sizeFields, toPixels } from '../../../nodes/ImageGeneration/operations/size';

const RULE = '128 to 1536 in steps of 32';
function sizeOf(size: unknown, width?: unknown, height?: unknown, quality: Quality = 'standard') {
	return toPixels({ size, width, height }, quality);
}

describe('a size', () => {
	it.each([
		['square', '512x512', '1024x1024'],
		['landscape', '1024x720', '1152x896'],
		['wide', '1024x576', '1216x832'],
		['portrait', '768x1024', '896x1152'],
		['feed', '512x640', '1024x1280'],
		['tall', '576x1024', '832x1216'],
	])('%s is %s with Standard, and %s with every other quality', (shape, standard, higher) => {
		const pixels = (quality: Quality) => Object.values(sizeOf(shape, 1, 1, quality)).join('x');
		const qualities = (['standard', 'hd', 'genius', 'super_genius'] as const).map(pixels);

		expect(qualities).toStrictEqual([standard, higher, higher, higher]);
	});

	it.each(['Wide', ' WIDE ', 'wide'])(
		'is read as the panel shows it, in any case: %j',
		(written) => {
			const size = sizeFields.size.read(written);

			expect(sizeOf(size)).toStrictEqual({ width: '1024', height: '576' });
		},
	);

	it('is Custom in any case, so that its width and height are read', () => {
		const values: Record<string, unknown> = { size: 'Custom', width: 160, height: 192 };

		expect(readFields(sizeFields, (name) => values[name])).toStrictEqual({
			...values,
			size: 'custom',
		});
	});

	it.each([
		[' 640 × 384 ', '640', '384'],
		['640X384', '640', '384'],
		['1024x720', '1024', '720'],
		['128x1536', '128', '1536'],
	])('is read from %j', (size, width, height) => {
		expect(sizeOf(size)).toStrictEqual({ width, height });
		expect(sizeOf('custom', Number(width), ` ${height}`)).toStrictEqual({ width, height });
	});

	it.each<[unknown[]]>([
		[['about 512x512', '512x512px', 'x512', '512x', '5 12x512']],
		[['', 512, ['square'], 'squarish']],
	])('rejects %j', (sizes) => {
		const allowed = `square, landscape, wide, portrait, feed, tall, custom, or width x height, such as 640x384, each ${RULE}`;
		const message = new RegExp(`^'Size' is .*\\. Allowed: ${allowed}\\.$`);

		for (const size of sizes) expect(() => sizeOf(size)).toThrow(message);
	});

	it.each(['1920x1080', '64x64', '1024x721', '0x0'])(
		'of %s is refused with the rule for each side',
		(size) => {
			expect(() => sizeOf(size)).toThrow(`'Size' is "${size}". Allowed: each side ${RULE}.`);
		},
	);

	it.each([
		[1920, 1080, 'Width'],
		[1024, 721, 'Height'],
		[130, 512, 'Width'],
	])('of custom %s x %s is refused with the side that is wrong', (width, height, side) => {
		const value = side === 'Width' ? width : height;

		expect(() => sizeOf('custom', width, height)).toThrow(
			`'${side}' is "${value}". Allowed: ${RULE}.`,
		);
	});

	it('may not be custom with a side that is not a number', () => {
		expect(() => sizeOf('custom', 512, 'tall')).toThrow(`'Height' is "tall". Allowed: ${RULE}.`);
	});
});

it('an operation must be a known one', () => {
	const message = `'Operation' is "paint". Allowed: generate, removeBackground, edit.`;

	expect(() => operationOf('paint')).toThrow(message);
});
