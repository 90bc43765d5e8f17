import { useFixture } from '../support/fixture';
import { fox, hintsOf, removeBackground } from '../support/runs';

const fixture = useFixture();

it('a request that was refused for free is repeated as soon as Retry-After allows, with its whole image', async () => {
	fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '0', times: 3 });
	const { error } = await fixture.run(removeBackground(), { items: [await fixture.photo()] });

	expect(error).toBeUndefined();
	expect(fixture.calls().map(({ status }) => status)).toStrictEqual([429, 429, 429, 200]);
	expect(fixture.calls().map(({ files: [file] }) => file?.bytes)).toStrictEqual(
		Array(4).fill(44473),
	);
	expect(fixture.charged()).toBe(1);
});

it.each(['reset-after', '5xx-after', '5xx-before', 'reset-before'] as const)(
	'a request that may have been charged is never sent again by itself: %s',
	async (fault) => {
		fixture.sandbox.arm({ fault, times: 2 });
		const { error } = await fixture.run(fox());
		expect(error?.description).toContain('may have been charged');
		expect(fixture.calls()).toHaveLength(1);
	},
);

it('an image in an oddResponses response is delivered, and a hint says so', async () => {
	const [before] = (await fixture.run(fox())).rows;
	const { id, output_url } = before?.json ?? {};
	fixture.sandbox.arm({ fault: 'status', status: 200, body: [{ id, output_url }] });
	const result = await fixture.run(fox());

	expect(result.rows.map(({ json }) => json)).toStrictEqual([before?.json]);
	expect(result.rows[0]?.binary?.data?.fileSize).toBe(before?.binary?.data?.fileSize);
	expect(hintsOf(result)?.[1]).toBe(
		'The service answered a request with JSON that is a list instead of a plain job result. The node still found the image.',
	);
});
