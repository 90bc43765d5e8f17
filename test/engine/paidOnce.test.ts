import { useFixture } from '../support/fixture';

const fixture = useFixture();
const parameters = { operation: 'generate', prompt: '={{ $json.title }}', size: '128x128' };
const items = ['One', 'Two', 'Three'].map((title) => ({ json: { title } }));

describe('a paid request that was definitely not charged', () => {
	it('is retried after a 429, as soon as Retry-After allows', async () => {
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '0', times: 3 });
		const { rows, error } = await fixture.run(parameters, { items: items.slice(0, 1) });

		expect(error).toBeUndefined();
		expect(rows).toHaveLength(1);
		expect(fixture.calls().map(({ status }) => status)).toEqual([429, 429, 429, 200]);
		expect(fixture.charged()).toBe(1);
	});

	it('is retried up to Max Retries', async () => {
		fixture.sandbox.arm({ fault: '5xx-before', times: 9 });
		const { error } = await fixture.run(
			{ ...parameters, options: { maxRetries: 1, retryUnclearOutcome: true } },
			{ items: items.slice(0, 1) },
		);

		expect(error?.httpCode).toBe('503');
		expect(fixture.calls()).toHaveLength(2);
	});

	it('is also retried with Retry Unclear Outcomes', async () => {
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '0' });
		const { error } = await fixture.run(
			{ ...parameters, options: { retryUnclearOutcome: true } },
			{ items: items.slice(0, 1) },
		);

		expect(error).toBeUndefined();
		expect(fixture.calls().map(({ status }) => status)).toEqual([429, 200]);
	});

	it('sends the whole image again when it is retried', async () => {
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '0' });
		await fixture.run({ operation: 'removeBackground' }, { items: [await fixture.photo()] });

		const files = fixture.calls().map(({ files: [file] }) => file?.bytes);
		expect(files).toHaveLength(2);
		expect(files[1]).toBe(44473);
	});
});

describe('a paid request that may have been charged', () => {
	it.each(['reset-after', '5xx-after', '5xx-before', 'reset-before'] as const)(
		'is not retried: %s',
		async (fault) => {
			fixture.sandbox.arm({ fault });
			const { error } = await fixture.run(parameters, { items: items.slice(0, 1) });

			expect(error?.description).toContain('may have been charged');
			expect(fixture.calls()).toHaveLength(1);
		},
	);

	it('is retried with Retry Unclear Outcomes', async () => {
		fixture.sandbox.arm({ fault: '5xx-before' });
		const { error } = await fixture.run(
			{ ...parameters, options: { retryUnclearOutcome: true } },
			{ items: items.slice(0, 1) },
		);

		expect(error).toBeUndefined();
		expect(fixture.calls()).toHaveLength(2);
	});
});

describe('a download', () => {
	it('is retried without a second charge', async () => {
		fixture.sandbox.arm({ fault: 'truncated', on: 'download' });
		const { rows, error } = await fixture.run(parameters, { items: items.slice(0, 1) });

		expect(error).toBeUndefined();
		expect(rows).toHaveLength(1);
		expect(fixture.charged()).toBe(1);
		expect(fixture.downloads()).toHaveLength(2);
	});
});
