import {
	boolean,
	choice,
	wholeNumber,
	prompt,
	readFields,
	text,
} from '../../../nodes/ImageGeneration/fields/field';
import { itemOptions, runOptions } from '../../../nodes/ImageGeneration/fields/options';
import { lineOfText, requiredText } from '../../../nodes/ImageGeneration/fields/readValue';

const displayName = 'The Field';
const numberIn = (range: { min: number; max: number; unit?: string }) =>
	wholeNumber({ displayName, default: 5, range, description: (text) => text });

const FIELDS = {
	choice: choice({
		displayName,
		values: { '': { name: 'None' }, a: { name: 'A' }, two_words: { name: 'More Words' } },
	}).read,
	'required text': (value: unknown) => requiredText(displayName, value),
	prompt: prompt({ displayName }).read,
	'required prompt': prompt({ displayName, required: true }).read,
	'line of text': text(lineOfText, { displayName }).read,
	switch: boolean({ displayName }).read,
	'whole number': numberIn({ min: 1, max: 10 }).read,
	'number of seconds': numberIn({ min: 1, max: 10, unit: 'seconds' }).read,
	'number without a limit': numberIn({ min: 1, max: Infinity }).read,
};
type Kind = keyof typeof FIELDS;

describe('a field', () => {
	it.each<[kind: Kind, value: unknown, read: unknown]>([
		['choice', 'a', 'a'],
		['choice', 'A', 'a'],
		['choice', ' two words ', 'two_words'],
		['choice', 'Two-Words', 'two_words'],
		['choice', 'TWOWORDS', 'two_words'],
		['choice', 'more words', 'two_words'],
		['choice', 'none', ''],
		['choice', '', ''],
		['switch', 'TRUE', true],
		['switch', 'False ', false],
		['required text', ' A fox ', ' A fox '],
		['required text', 0, '0'],
		['prompt', 'undefined behavior', 'undefined behavior'],
		['prompt', 7, '7'],
		['prompt', '', ''],
		['line of text', ' fox ', 'fox'],
		['line of text', 12, '12'],
		['line of text', null, ''],
		['line of text', { a: 1 }, ''],
		['switch', true, true],
		['switch', false, false],
		['switch', 'true', true],
		['switch', 'false', false],
		['whole number', 1, 1],
		['whole number', 10, 10],
		['whole number', ' 7 ', 7],
		['number without a limit', 1_000_000, 1_000_000],
	])('with a %s reads %p as %p', (kind, value, read) => {
		expect(FIELDS[kind](value)).toBe(read);
	});

	it.each<[kind: Kind, values: unknown[], message: RegExp]>([
		[
			'choice',
			['c', 'more', 'no', 'aa', 0, null, ['a']],
			/ is .*\. Allowed: none, a, two_words\.$/,
		],
		['required text', ['', ' \n', undefined, null], /^'The Field' is empty\.$/],
		['required text', [['a']], /^'The Field' must be text, but is "\["a"\]"\.$/],
		['required text', [true, false], /^'The Field' must be text, but is "(true|false)"\.$/],
		['required prompt', [''], / is empty\.$/],
		['switch', ['yes', 1, [true]], /^'The Field' is ".*"\. Allowed: true, false\.$/],
		[
			'whole number',
			[0, 11, 1.5, '7px', 'px7', '', null, true, NaN],
			/^'The Field' is .*\. Allowed: a whole number from 1 to 10\.$/,
		],
		['number of seconds', [0], / Allowed: a whole number of seconds from 1 to 10\.$/],
		['number without a limit', [0], / is "0"\. Allowed: a whole number, 1 or more\.$/],
	])('with a %s rejects %p', (kind, values, message) => {
		for (const value of values) expect(() => FIELDS[kind](value)).toThrow(message);
	});
});

describe('options', () => {
	const read = (given: Record<string, unknown>) =>
		readFields({ ...itemOptions, ...runOptions }, (name, absent) => given[name] ?? absent);
	const DEFAULTS = {
		fileName: '',
		includeInputFields: false,
		timeout: 600,
		concurrency: 5,
		dryRun: false,
		maxImages: Infinity,
		maxImagesPerDay: Infinity,
		purchaseLog: '',
		reuse: undefined,
	};

	it('have defaults, but no limit of images', () => {
		const nulls = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, null]));

		expect(read({})).toStrictEqual(DEFAULTS);
		expect(read(nulls)).toStrictEqual(DEFAULTS);
	});

	const switches = Object.entries({ ...itemOptions, ...runOptions }).filter(
		([, { property }]) => property.type === 'boolean',
	);

	it.each(switches)(
		'of two states are on when they are added, and off without: %s',
		(name, field) => {
			expect(field.property.default).toBe(true);
			expect(read({})).toMatchObject({ [name]: false });
			expect(read({ [name]: true })).toMatchObject({ [name]: true });
		},
	);

	it('list purchases in a table whose name stands in the panel at once, and refuse none', () => {
		expect(runOptions.purchaseLog.property.default).toBe('Image Purchases');
		expect(() => read({ purchaseLog: ' ' })).toThrow("'Purchase Log' is empty.");
	});

	it.each([
		['timeout', 1, 3600],
		['concurrency', 1, 100],
	])('are rejected if they are out of range: %s from %d to %d', (name, min, max) => {
		for (const value of [min, max])
			expect(read({ [name]: value })).toStrictEqual({ ...DEFAULTS, [name]: value });

		expect(() => read({ [name]: min - 1 })).toThrow(`is "${min - 1}". Allowed: a whole number`);
		expect(() => read({ [name]: max + 1 })).toThrow(`from ${min} to ${max}.`);
	});
});
