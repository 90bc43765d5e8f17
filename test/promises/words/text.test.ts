import { placeName } from '../../../nodes/ImageGeneration/values/placeName';
import { duration, quote, toHtml } from '../../../nodes/ImageGeneration/values/text';

describe('in a message', () => {
	it.each([
		[null, 'nothing'],
		[512, '"512"'],
		[{ a: 1 }, '"{"a":1}"'],
		['x'.repeat(81), `"${'x'.repeat(79)}…"`],
	])('the value %j is quoted as %s', (value, text) => {
		expect(quote(value)).toBe(text);
	});

	it.each([
		[' A\n red\tfox ', 'Item 1, "A red fox"'],
		[`${'x'.repeat(38)}🦊🦊`, `Item 1, "${'x'.repeat(38)}…"`],
		['', 'Item 1'],
	])('a job is named by the first 40 characters of its label, on one line: %j', (label, name) => {
		expect(placeName({ itemIndex: 0, label, includesInput: false })).toBe(name);
	});

	it.each([
		[1500, '2 seconds'],
		[90_000, '90 seconds'],
		[125_000, '2 minutes'],
		[300 * 86_400_000, '300 days'],
		[366 * 86_400_000, 'more than a year'],
	])('a duration of %d ms is %s', (ms, words) => {
		expect(duration(ms)).toBe(words);
	});
});

const link = (address: string) => `<a href="${address}" target="_blank">${address}</a>`;

it.each([
	['escapes markup', '<b>"A & b"</b>', '&lt;b&gt;&quot;A &amp; b&quot;&lt;/b&gt;'],
	[
		'links each of several addresses',
		'http://a.b\nhttps://c.d/e.jpg (job 1)',
		`${link('http://a.b')}<br>${link('https://c.d/e.jpg')} (job 1)`,
	],
	['leaves out a period after an address', 'http://a.b/c. The', `${link('http://a.b/c')}. The`],
	['leaves out brackets around an address', '(http://a.b/c)', `(${link('http://a.b/c')})`],
	['includes what is inside an address', 'http://a.b/?c=(2)&e', link('http://a.b/?c=(2)&amp;e')],
	['links no other scheme', 'javascript:alert(1)', 'javascript:alert(1)'],
	['ends an address at a quote', 'http://x/"on="a', `${link('http://x/')}&quot;on=&quot;a`],
])('a text shown as HTML in the editor %s', (_promise, text, html) => {
	expect(toHtml(text)).toBe(html);
});
