import {
	asNumber,
	oneOf,
	promptText,
	requiredText,
	trueOrFalse,
	wholeNumber,
} from '../../nodes/ImageGeneration/fields/readValue';

describe('a choice', () => {
	it('must be one of the allowed values', () => {
		expect(oneOf('Size', 'b', ['a', 'b'])).toBe('b');
		expect(() => oneOf('Style', 'c', ['', 'a'])).toThrow(`'Style' is "c". Allowed: none, a.`);
	});
});

describe('a required text', () => {
	it.each<[value: unknown, text: string]>([
		['A fox', 'A fox'],
		[' A fox ', ' A fox '],
		[7, '7'],
		[0, '0'],
		[false, 'false'],
	])('is read from %p', (value, text) => {
		expect(requiredText('Prompt', value)).toBe(text);
	});

	it.each([[''], [' \n'], [undefined], [null]])('is empty: %p', (value) => {
		expect(() => requiredText('Prompt', value)).toThrow(/^'Prompt' is empty\.$/);
	});

	it('must not be a list', () => {
		expect(() => requiredText('Prompt', ['a'])).toThrow(
			/^'Prompt' must be text, but is "\["a"\]"\.$/,
		);
	});
});

describe('a prompt', () => {
	it.each([
		['A fox', 'A fox'],
		['undefined behavior', 'undefined behavior'],
		[7, '7'],
	])('is read from %p', (value, text) => {
		expect(promptText('Prompt', value)).toBe(text);
	});

	it.each([['undefined'], [' null '], ['NaN'], [NaN], ['a [object Object] in the snow']])(
		'must not show that an expression found no value: %p',
		(value) => {
			expect(() => promptText('Prompt', value)).toThrow(
				expect.objectContaining({
					message: `'Prompt' is "${String(value)}". An expression found no value there, or one that is not text.`,
					advice:
						'Check the names in the expression, or filter out items without this value before this node.',
				}) as Error,
			);
		},
	);
});

describe('a switch', () => {
	it.each<[value: unknown, on: boolean]>([
		[true, true],
		[false, false],
		['true', true],
		['false', false],
	])('accepts %p', (value, on) => {
		expect(trueOrFalse('Download Image', value)).toBe(on);
	});

	it('rejects anything else', () => {
		expect(() => trueOrFalse('Download Image', 'yes')).toThrow(
			`'Download Image' is "yes". Allowed: true, false.`,
		);
	});
});

describe('a whole number', () => {
	const rule = { min: 1, max: 10 };

	it.each<[value: unknown, number: number]>([
		[1, 1],
		[10, 10],
		['7', 7],
		[' 7 ', 7],
	])('accepts %p', (value, number) => {
		expect(wholeNumber('Max Retries', value, rule)).toBe(number);
	});

	it.each([0, 11, 1.5, '7px', 'px7', '', null, true, NaN])('rejects %p', (value) => {
		expect(() => wholeNumber('Max Retries', value, rule)).toThrow(
			/^'Max Retries' is .*\. Allowed: a whole number from 1 to 10\.$/,
		);
	});

	it('names its unit', () => {
		expect(() => wholeNumber('Timeout', 0, { ...rule, unit: 'seconds' })).toThrow(
			`'Timeout' is "0". Allowed: a whole number of seconds from 1 to 10.`,
		);
	});

	it('may have no upper limit', () => {
		const open = { min: 1, max: Infinity };

		expect(wholeNumber('Max Images', 1_000_000, open)).toBe(1_000_000);
		expect(() => wholeNumber('Max Images', 0, open)).toThrow(
			`'Max Images' is "0". Allowed: a whole number, 1 or more.`,
		);
	});

	it('is NaN if it is not a number', () => {
		expect(asNumber(1.5)).toBe(1.5);
		expect([asNumber('7px'), asNumber(true), asNumber(undefined)]).toEqual([NaN, NaN, NaN]);
	});
});
