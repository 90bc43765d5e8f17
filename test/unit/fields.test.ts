import {
	boolean,
	choice,
	number,
	prompt,
	readOptions,
	text,
} from '../../nodes/ImageGeneration/fields/field';
import { itemOptions, runOptions } from '../../nodes/ImageGeneration/fields/options';
import { asNumber, requiredText } from '../../nodes/ImageGeneration/fields/readValue';
import { DEFAULT_OPTIONS } from '../support/jobs';

const displayName = 'The Field';

describe('a choice', () => {
	it('must be one of the allowed values', () => {
		const { read } = choice({ displayName, values: { '': 'None', a: 'A' } });

		expect(read('a')).toBe('a');
		expect(() => read('c')).toThrow(`'The Field' is "c". Allowed: none, a.`);
	});
});

describe('a required text', () => {
	it.each<[value: unknown, text: string]>([
		['A fox', 'A fox'],
		[' A fox ', ' A fox '],
		[7, '7'],
		[0, '0'],
		[false, 'false'],
	])('is read from %p', (value, expected) => {
		expect(requiredText(displayName, value)).toBe(expected);
	});

	it.each([[''], [' \n'], [undefined], [null]])('is empty: %p', (value) => {
		expect(() => requiredText(displayName, value)).toThrow(/^'The Field' is empty\.$/);
	});

	it('must not be a list', () => {
		expect(() => requiredText(displayName, ['a'])).toThrow(
			/^'The Field' must be text, but is "\["a"\]"\.$/,
		);
	});
});

describe('a prompt', () => {
	const { read } = prompt({ displayName });

	it.each([
		['A fox', 'A fox'],
		['undefined behavior', 'undefined behavior'],
		[7, '7'],
		['', ''],
	])('is read from %p', (value, expected) => {
		expect(read(value)).toBe(expected);
	});

	it('must not be empty if it is required', () => {
		expect(() => prompt({ displayName, required: true }).read('')).toThrow('is empty');
	});

	it.each([['undefined'], [' null '], ['NaN'], [NaN], ['a [object Object] in the snow']])(
		'must not show that an expression found no value: %p',
		(value) => {
			expect(() => read(value)).toThrow(
				expect.objectContaining({
					message: `'The Field' is "${String(value)}". An expression found no value there, or one that is not text.`,
					advice:
						'Check the names in the expression, or filter out items without this value before this node.',
				}) as Error,
			);
		},
	);
});

describe('a line of text', () => {
	it.each<[value: unknown, line: string]>([
		[' fox ', 'fox'],
		[12, '12'],
		[null, ''],
		[{ a: 1 }, ''],
	])('is read from %p', (value, line) => {
		expect(text({ displayName }).read(value)).toBe(line);
	});
});

describe('a switch', () => {
	const { read } = boolean({ displayName });

	it.each<[value: unknown, on: boolean]>([
		[true, true],
		[false, false],
		['true', true],
		['false', false],
	])('accepts %p', (value, on) => {
		expect(read(value)).toBe(on);
	});

	it.each(['yes', 1, [true]])('rejects %p', (value) => {
		expect(() => read(value)).toThrow(/^'The Field' is ".*"\. Allowed: true, false\.$/);
	});
});

describe('a whole number', () => {
	const numberIn = (min: number, max: number, unit?: string) =>
		number({
			displayName,
			default: 5,
			range: { min, max, ...(unit !== undefined && { unit }) },
			description: (range) => `How many (${range})`,
		});

	it.each<[value: unknown, whole: number]>([
		[1, 1],
		[10, 10],
		['7', 7],
		[' 7 ', 7],
	])('accepts %p', (value, whole) => {
		expect(numberIn(1, 10).read(value)).toBe(whole);
	});

	it.each([0, 11, 1.5, '7px', 'px7', '', null, true, NaN])('rejects %p', (value) => {
		expect(() => numberIn(1, 10).read(value)).toThrow(
			/^'The Field' is .*\. Allowed: a whole number from 1 to 10\.$/,
		);
	});

	it('says its range, its default and its unit', () => {
		const { property, read } = numberIn(1, 10, 'seconds');

		expect(property.description).toBe('How many (1 to 10, default 5)');
		expect(() => read(0)).toThrow(`Allowed: a whole number of seconds from 1 to 10.`);
	});

	it('may have no upper limit', () => {
		const { property, read } = numberIn(1, Infinity);

		expect(property.description).toBe('How many (1 or more)');
		expect(read(1_000_000)).toBe(1_000_000);
		expect(() => read(0)).toThrow(`'The Field' is "0". Allowed: a whole number, 1 or more.`);
	});

	it('is NaN if it is not a number', () => {
		expect(asNumber(1.5)).toBe(1.5);
		expect([asNumber('7px'), asNumber(true), asNumber(undefined)]).toEqual([NaN, NaN, NaN]);
	});
});

describe('options', () => {
	const read = (given: Record<string, unknown>) =>
		readOptions({ ...itemOptions, ...runOptions }, (name) => given[name]);
	const DEFAULTS = {
		...DEFAULT_OPTIONS,
		concurrency: 5,
		dryRun: false,
		maxImages: undefined,
		purchaseLog: '',
		requestInterval: 0,
		reuse: 'never',
	};
	const LARGEST = {
		allowOtherHosts: true,
		fileName: 'fox',
		includeInputFields: true,
		maxRetries: 10,
		retryUnclearOutcome: true,
		timeout: 3600,
		concurrency: 100,
		dryRun: true,
		maxImages: 10_000,
		purchaseLog: 'Images',
		requestInterval: 3_600_000,
		reuse: 'always',
	};
	const SMALLEST = { maxRetries: 0, timeout: 1, concurrency: 1, maxImages: 1, requestInterval: 0 };

	it('have defaults, but no limit of images', () => {
		const nulls = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, null]));

		expect(read({})).toStrictEqual(DEFAULTS);
		expect(read(nulls)).toStrictEqual(DEFAULTS);
	});

	it('are read as given', () => {
		expect(read(LARGEST)).toStrictEqual(LARGEST);
		expect(read(SMALLEST)).toStrictEqual({ ...DEFAULTS, ...SMALLEST });
	});

	it.each(
		Object.entries({ maxRetries: 10, timeout: 3600, concurrency: 100, requestInterval: 3_600_000 }),
	)('are rejected if they are out of range: %s up to %i', (name, max) => {
		const { [name]: min = 0 } = SMALLEST as Record<string, number>;

		expect(() => read({ [name]: max + 1 })).toThrow(`is "${max + 1}". Allowed: a whole number`);
		expect(() => read({ [name]: min - 1 })).toThrow(`from ${min} to ${max}.`);
	});
});
