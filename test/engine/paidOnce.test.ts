import { useHouse } from '../support/house';

const house = useHouse();
const parameters = { operation: 'generate', prompt: '={{ $json.title }}', size: '128x128' };
const items = ['One', 'Two', 'Three'].map((title) => ({ json: { title } }));

describe('a call that surely was not charged', () => {
	it('is made again after 429, as soon as Retry-After allows', async () => {
		house.sandbox.arm({ fault: 'rate-limit', retryAfter: '0', times: 3 });
		const { rows, error } = await house.run(parameters, { items: items.slice(0, 1) });

		expect(error).toBeUndefined();
		expect(rows).toHaveLength(1);
		expect(house.calls().map(({ status }) => status)).toEqual([429, 429, 429, 200]);
		expect(house.charged()).toBe(1);
	});

	it('is made again no oftener than Max Retries', async () => {
		house.sandbox.arm({ fault: 'rate-limit', retryAfter: '0', times: 9 });
		const { error } = await house.run(
			{ ...parameters, options: { maxRetries: 1 } },
			{ items: items.slice(0, 1) },
		);

		expect(error?.httpCode).toBe('429');
		expect(house.calls()).toHaveLength(2);
	});

	it('sends a whole image again', async () => {
		house.sandbox.arm({ fault: 'rate-limit', retryAfter: '0' });
		await house.run({ operation: 'removeBackground' }, { items: [await house.photo()] });

		const files = house.calls().map(({ files: [file] }) => file?.bytes);
		expect(files).toHaveLength(2);
		expect(files[1]).toBe(44473);
	});
});

describe('a call that may have been charged', () => {
	it.each(['reset-after', '5xx-after', '5xx-before', 'reset-before'] as const)(
		'is not made again: %s',
		async (fault) => {
			house.sandbox.arm({ fault });
			const { error } = await house.run(parameters, { items: items.slice(0, 1) });

			expect(error?.description).toContain('may have been charged');
			expect(house.calls()).toHaveLength(1);
		},
	);

	it('is made again where Retry Unclear Outcomes is on', async () => {
		house.sandbox.arm({ fault: '5xx-before' });
		const { error } = await house.run(
			{ ...parameters, options: { retryUnclearOutcome: true } },
			{ items: items.slice(0, 1) },
		);

		expect(error).toBeUndefined();
		expect(house.calls()).toHaveLength(2);
	});
});

describe('a download', () => {
	it('is made again without a second charge', async () => {
		house.sandbox.arm({ fault: 'truncated', on: 'download' });
		const { rows, error } = await house.run(parameters, { items: items.slice(0, 1) });

		expect(error).toBeUndefined();
		expect(rows).toHaveLength(1);
		expect(house.charged()).toBe(1);
		expect(house.downloads()).toHaveLength(2);
	});
});

describe('Retry On Fail', () => {
	const retryOnFail = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

	it('buys nothing again that an earlier try has paid for', async () => {
		house.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
		const { rows, error } = await house.run(parameters, { items, node: retryOnFail });

		expect(error).toBeUndefined();
		expect(rows).toHaveLength(3);
		expect(house.charged()).toBe(3);
		expect(house.calls()).toHaveLength(4);
	});

	it('buys nothing again where only the download went wrong', async () => {
		house.sandbox.arm({ fault: 'download-404' });
		const { rows, error } = await house.run(parameters, {
			items: items.slice(0, 1),
			node: retryOnFail,
		});

		expect(error).toBeUndefined();
		expect(rows[0]?.binary?.data).toBeDefined();
		expect(house.charged()).toBe(1);
	});

	it('buys nothing again with On Error = Continue, where the first item went wrong', async () => {
		house.sandbox.arm({ fault: 'status', status: 400, when: 'One' });
		const { rows } = await house.run(parameters, {
			items,
			node: { ...retryOnFail, onError: 'continueRegularOutput' },
		});

		expect(rows.map(({ json }) => json.error)).toEqual([undefined, undefined, undefined]);
		expect(house.charged()).toBe(3);
	});

	it('leaves nothing behind in the execution when all is well', async () => {
		const { run } = await house.run(parameters, { items, node: retryOnFail });

		expect(JSON.stringify(run.data.executionData?.contextData ?? {})).not.toContain('output_url');
	});

	it('buys nothing again where the input itself has an error that is kept', async () => {
		const { rows } = await house.run(
			{ ...parameters, options: { includeInputFields: true } },
			{ items: [{ json: { title: 'One', error: 'From before' } }], node: retryOnFail },
		);

		expect(rows[0]?.json).toMatchObject({ error: 'From before', title: 'One' });
		expect(house.charged()).toBe(1);
	});
});
