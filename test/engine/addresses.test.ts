import { useFixture } from '../support/fixture';
import { CONTINUE, fox, removeBackground } from '../support/runs';
import { text } from '../support/text';

const fixture = useFixture();
/** Runs Remove Background on what an expression returns. */
const run = async (value: unknown, what = {}) =>
	await fixture.run(
		removeBackground({
			inputType: 'url',
			imageUrl: '={{ $json.value }}',
			options: { concurrency: 1 },
		}),
		{ items: [{ json: { value } as never }], ...what },
	);
const sent = () => fixture.calls().map(({ fields }) => fields.image);

describe('Image URL sends the addresses that systems hand over, byte for byte, and charges each once:', () => {
	let link: string;
	beforeAll(async () => {
		// The service can fetch an image that it made itself.
		link = text((await fixture.run(fox())).rows[0]?.json.output_url);
	});

	it.each<[what: string, value: (a: string, b: string) => unknown]>([
		['a shop’s export', (a, b) => `${a}|${b}`],
		['words', (a, b) => `Please use ${a} and ${b}.`],
		['a numbered list', (a, b) => `1. ${a}\r\n2. ${b}`],
		['Markdown', (a, b) => `![front](${a}) [back](${b})`],
		['HTML', (a, b) => `<a href="https://example.com/"><img src="${a}"></a><img src='${b}'>`],
		['a JSON list as text', (a, b) => JSON.stringify([a, b])],
		['a sheet’s cell with invisible characters', (a, b) => `\ufeff${a}\u00a0\u200b${b}`],
		['a mail that writes &amp;', (a, b) => `${a}\n${b}`.replaceAll('&', '&amp;')],
		[
			'attachments of Airtable',
			(a, b) =>
				[a, b].map((url) => ({ id: 'att', url, thumbnails: { small: { url: `${url}&s` } } })),
		],
		['images of Shopify', (a, b) => [a, b].map((src) => ({ id: 1, src, alt: null }))],
	])('%s', async (_what, value) => {
		const [a, b] = [`${link}?w=1&h=2`, `${link}?w=3&h=4`];
		const { rows, error } = await run(value(a, b));

		expect(error).toBeUndefined();
		expect(sent()).toStrictEqual([a, b]);
		expect(fixture.charged()).toBe(2);
		expect(rows.map(({ json }) => json.source)).toStrictEqual([a, b]);
	});

	it('the `markdown` that the tool returns', async () => {
		await run(`![Image](${link})`);

		expect(sent()).toStrictEqual([link]);
		expect(fixture.charged()).toBe(1);
	});
});

it('pages among addresses are error items and cost nothing, and so is text without an address', async () => {
	const { rows } = await run('https://photos.app.goo.gl/AbC, https://we.tl/t-1, www.a.test/b.jpg', {
		node: CONTINUE,
	});
	const { error } = await run('see the attachment');

	expect(rows.map(({ json }) => json.error)).toStrictEqual(
		['a page of Google Photos', 'a page of WeTransfer', 'Allowed: a full address'].map(
			(why) => expect.stringContaining(why) as string,
		),
	);
	expect(error?.message).toContain('Allowed: a full address');
	expect(fixture.calls()).toStrictEqual([]);
});
