import { useFixture } from '../support/fixture';

const fixture = useFixture();
const parameters = { operation: 'generate', prompt: 'An owl', size: '128x128' };

it('a request that was refused for free is repeated as soon as Retry-After allows', async () => {
	fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '0', times: 3 });
	const { error } = await fixture.run(parameters);

	expect(error).toBeUndefined();
	expect(fixture.calls().map(({ status }) => status)).toEqual([429, 429, 429, 200]);
	expect(fixture.charged()).toBe(1);
});

it('a repeated request has the whole image again', async () => {
	fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '0' });
	await fixture.run({ operation: 'removeBackground' }, { items: [await fixture.photo()] });

	const files = fixture.calls().map(({ files: [file] }) => file?.bytes);
	expect(files).toEqual([44473, 44473]);
});

it.each(['reset-after', '5xx-after', '5xx-before', 'reset-before'] as const)(
	'a request that may have been charged is repeated only with Retry Unclear Outcomes: %s',
	async (fault) => {
		fixture.sandbox.arm({ fault, times: 2 });
		const { error } = await fixture.run(parameters);
		expect(error?.description).toContain('may have been charged');
		expect(fixture.calls()).toHaveLength(1);

		const options = { retryUnclearOutcome: true, maxRetries: 1 };
		expect((await fixture.run({ ...parameters, options })).error).toBeUndefined();
		expect(fixture.calls()).toHaveLength(3);
	},
);

it('a download is repeated without a second charge', async () => {
	fixture.sandbox.arm({ fault: 'truncated', on: 'download' });
	const { error } = await fixture.run(parameters);

	expect(error).toBeUndefined();
	expect(fixture.charged()).toBe(1);
	expect(fixture.downloads()).toHaveLength(2);
});
