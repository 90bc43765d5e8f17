import { safeStem } from '../../nodes/ImageGeneration/images/fileName';
import { parseJson } from '../../nodes/ImageGeneration/service/jobResults';
import { keyHider } from '../../nodes/ImageGeneration/service/key';
import { escapeHtml, toHtml } from '../../nodes/ImageGeneration/values/text';

// A webhook may bring 16 MiB of text, and an answer has at most 1 MiB. These tests count what is looked
// at instead of measuring time.
const MIB = 1024 * 1024;
const filledWith = (text: string, length = MIB) => text.repeat(length / text.length);

afterEach(() => {
	jest.restoreAllMocks();
});

it.each(['.', ' ', '\u0301', '\\', '.jpg'])(
	'a file name is made of the first 900 and the last 100 characters: %j',
	(middle) => {
		const [start, end] = [middle.repeat(900).slice(0, 900), `${' '.repeat(95)}.jpeg`];

		expect(safeStem(`${start}${filledWith(middle, 16 * MIB)}${end}`)).toBe(
			safeStem(`${start}${end}`),
		);
	},
);

/** Repetitions without an end, outside of character classes, can be tried from every character to the last. */
const ENDLESS = /(?<!\\)(?:[*+]|\{\d+,\})/;

it.each<[what: string, change: (text: string) => string]>([
	['hiding the key', keyHider('a-key+to/hide=0123456789abcdef*')],
	['escaping for HTML', escapeHtml],
])('%s tries a bounded number of characters at each place', (_what, change) => {
	const replace = jest.spyOn(String.prototype, 'replace');
	change('text');

	const patterns = replace.mock.calls.map(([pattern]) => (pattern as RegExp).source);
	jest.restoreAllMocks();
	expect(patterns).toHaveLength(1);
	expect(patterns.filter((source) => ENDLESS.test(source))).toStrictEqual([]);
});

it('text becomes HTML of a size that follows from it, and an address is read once', () => {
	expect(toHtml(filledWith('<')).length).toBe(4 * MIB);
	expect(toHtml(filledWith('http://a')).match(/<a /g)).toHaveLength(1);
});

it.each([filledWith('1234567890123456'), `["${filledWith('\\')}"]`, filledWith('"\\"')])(
	'JSON is parsed once, also if numbers in it become texts (%#)',
	(text) => {
		const parse = jest.spyOn(JSON, 'parse');
		parseJson(text);

		expect(parse.mock.calls.map(([given]) => given.length <= text.length + 2)).toStrictEqual([
			true,
		]);
	},
);
