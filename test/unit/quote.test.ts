import { quote } from '../../nodes/ImageGeneration/failures/text';

describe('a value in a message', () => {
	it.each([
		[undefined, 'nothing'],
		[null, 'nothing'],
		['', 'nothing'],
		['512', '"512"'],
		[512, '"512"'],
		[false, '"false"'],
		[{ a: 1 }, '"{"a":1}"'],
		['x'.repeat(80), `"${'x'.repeat(80)}"`],
		['x'.repeat(81), `"${'x'.repeat(79)}…"`],
	])('%j is quoted as %s', (value, text) => {
		expect(quote(value)).toBe(text);
	});
});
