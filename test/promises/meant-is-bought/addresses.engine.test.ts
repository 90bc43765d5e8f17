import { useFixture } from '../../support/fixture';
import { fox, removeBackground } from '../../support/runs';
import { text } from '../../support/text';

const fixture = useFixture();
/** Runs Remove Background on what an expression returns. */
const run = async (value: unknown) =>
	await fixture.run(
		removeBackground({
			inputType: 'url',
			imageUrl: '={{ $json.value }}',
			options: { concurrency: 1 },
		}),
		{ items: [{ json: { value } as never }] },
	);
const sent = () => fixture.calls().map(({ fields }) => fields.image);

describe('Image URL sends the addresses that systems hand over, byte for byte, and charges each once:', () => {
	let link: string;
	beforeAll(async () => {
		// The service can fetch an image that it made itself.
		link = text((await fixture.run(fox())).rows[0]?.json.output_url);
	});

	it.each<[what: string, value: (a: string, b: string) => unknown]>([
		['a mail that writes &amp;', (a, b) => `${a}\n${b}`.replaceAll('&', '&amp;')],
		[
			'attachments of Airtable',
			(a, b) =>
				[a, b].map((url) => ({ id: 'att', url, thumbnails: { small: { url: `${url}&s` } } })),
		],
	])('%s', async (_what, value) => {
		const [a, b] = [`${link}?w=1&h=2`, `${link}?w=3&h=4`];
		const { rows, error } = await run(value(a, b));

		expect(error).toBeUndefined();
		expect(sent()).toStrictEqual([a, b]);
		expect(fixture.charged()).toBe(2);
		expect(rows.map(({ json }) => json.source)).toStrictEqual([a, b]);
	});
});
