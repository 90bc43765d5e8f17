import type { Quality } from '../../nodes/ImageGeneration/fields/quality';
import { operationOf } from '../../nodes/ImageGeneration/operations';
import { toPixels } from '../../nodes/ImageGeneration/operations/size';

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
		['tall', '576x1024', '832x1216'],
	])('%s is %s with Standard, and %s with every other quality', (shape, standard, higher) => {
		const pixels = (quality: Quality) => Object.values(sizeOf(shape, 1, 1, quality)).join('x');
		const qualities = (['standard', 'hd', 'genius', 'super_genius'] as const).map(pixels);

		expect(qualities).toStrictEqual([standard, higher, higher, higher]);
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
		[['Square', '', 512, ['square']]],
	])('rejects %j', (sizes) => {
		const allowed = `square, landscape, wide, portrait, tall, custom, or width x height, such as 640x384, each ${RULE}`;
		const message = new RegExp(`^'Size' is .*\\. Allowed: ${allowed}\\.$`);

		for (const size of sizes) expect(() => sizeOf(size)).toThrow(message);
	});

	it.each([
		['1024x721', 'Height', '721', 736],
		['96x512', 'Width', '96', 128],
		['1600x512', 'Width', '1600', 1536],
	])('of %s names the side and the nearest allowed number', (size, side, value, nearest) => {
		const [width, height] = size.split('x');
		const advice = `Use ${nearest}, the nearest allowed number.`;
		const message = `'${side}' is "${value}". Allowed: ${RULE}.`;

		expect(() => sizeOf(size)).toThrow(
			`The ${side.toLowerCase()} in 'Size' is "${value}". Allowed`,
		);
		expect(() => sizeOf('custom', width, height)).toThrow(
			expect.objectContaining({ failure: { kind: 'bad input', message, advice } }) as Error,
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
