import type { INodeExecutionData } from 'n8n-workflow';

import { processTable } from '../../nodes/ImageGeneration/recall/processTable';
import { NODE, type EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';

const fixture = useFixture({ allowance: 10_000 });
const parameters = {
	operation: 'generate',
	prompt: '={{ $json.title }}',
	size: '128x128',
	options: { concurrency: 1, maxRetries: 0 },
};
const twoAttempts = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const stop = { ...twoAttempts, onError: 'stopWorkflow' } as const;
const continueOnFail = { ...twoAttempts, onError: 'continueRegularOutput' } as const;
const settings = [
	['Stop', stop],
	['Continue', continueOnFail],
] as const;

const itemsOf = (...titles: string[]): INodeExecutionData[] =>
	titles.map((title) => ({ json: { title } }));
const items = itemsOf('One', 'Two', 'Three');
const sent = () => fixture.calls().map(({ fields }) => fields.text);

/** What n8n stores for the node besides its output. */
function storedIn({ run }: EngineResult): string {
	return JSON.stringify(run.data.executionData?.contextData ?? {});
}

describe('a run whose output n8n takes has delivered its images', () => {
	/** How their rows say that they ended. */
	const states = async (execution: EngineResult) => {
		const links = execution.rows.map(({ json }) => json.output_url as string);
		const any = links.map((link) => ['link', 'eq', link] as const);
		return (await processTable.read({ any })).map(({ state }) => state);
	};
	const once = { onError: 'continueRegularOutput' } as const;

	it.each([
		['no attempt follows', once, 1],
		['it was the last attempt', continueOnFail, 2],
	])('although its first item failed, if %s', async (_what, node, attempts) => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'One', times: 2 });
		const result = await fixture.run(parameters, { items, node });

		expect(result.rows[0]?.json.error).toBeDefined();
		expect(sent().filter((title) => title === 'One')).toHaveLength(attempts);
		expect(await states(result)).toEqual(['delivered', 'delivered']);
		expect(storedIn(result)).not.toContain('finishedJobs');
	});

	it.each([null, false])(
		'although its input has the error %s, which n8n ignores',
		async (error) => {
			const withInput = { ...parameters, options: { includeInputFields: true } };
			const given = [{ json: { title: 'One', error } }];
			const result = await fixture.run(withInput, { items: given, node: stop });

			expect(result.rows[0]?.json.error).toBe(error);
			expect(await states(result)).toEqual(['delivered']);
		},
	);
});

describe('the second attempt with On Error = Stop', () => {
	it('sends nothing if an earlier item’s unclear outcome stops it again', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'One' });
		fixture.sandbox.arm({ fault: 'reset-after', when: 'Two' });
		const { error } = await fixture.run(
			{ ...parameters, options: { maxRetries: 0, concurrency: 3 } },
			{ items, node: stop },
		);

		expect(sent().sort()).toEqual(['One', 'Three', 'Two']);
		expect(error?.message).toMatch(
			/^Item 2, "Two": The connection closed before the service responded/,
		);
		const paid = fixture.sandbox.ledger.slice(-2).map((charge) => charge.outputUrl);
		expect(paid.filter((url) => error?.description?.includes(url))).toHaveLength(1);
	});
});

describe.each(settings)(
	'the second attempt with On Error = %s buys only what is missing',
	(_name, node) => {
		it('after the first item was rejected', async () => {
			fixture.sandbox.arm({ fault: 'status', status: 400, when: 'One' });
			const { rows } = await fixture.run(parameters, { items, node });

			expect(rows.map(({ json }) => json.error)).toEqual([undefined, undefined, undefined]);
			expect(sent().sort()).toEqual(['One', 'One', 'Three', 'Two']);
			expect(fixture.charged()).toBe(3);
		});

		it('after the first item’s image could not be downloaded', async () => {
			fixture.sandbox.arm({ fault: 'download-404' });
			const { rows } = await fixture.run(parameters, { items, node });

			expect(rows.map(({ binary }) => binary?.data !== undefined)).toEqual([true, true, true]);
			expect(fixture.charged()).toBe(3);
		});

		it.each([
			'reset-after',
			'5xx-after',
			'close-after',
			'truncated-json',
			'no-output-url',
		] as const)('and does not repeat a request that may have been charged: %s', async (fault) => {
			fixture.sandbox.arm({ fault });
			const result = await fixture.run(parameters, { items: items.slice(0, 1), node });

			const said = result.error?.description ?? JSON.stringify(result.rows[0]?.json);
			expect(said).toMatch(/may have been charged|you were charged/);
			expect(sent()).toEqual(['One']);
			expect(fixture.charged()).toBe(1);
		});

		it('and repeats a request that may have been charged with Retry Unclear Outcomes', async () => {
			fixture.sandbox.arm({ fault: 'reset-after' });
			const options = { ...parameters.options, retryUnclearOutcome: true };
			const { rows } = await fixture.run(
				{ ...parameters, options },
				{ items: items.slice(0, 1), node },
			);

			expect(rows[0]?.json.error).toBeUndefined();
			expect(fixture.charged()).toBe(2);
		});
	},
);

describe('a later item that fails', () => {
	it('is all that the second attempt buys with On Error = Stop', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
		const { rows } = await fixture.run(parameters, { items, node: stop });

		expect(rows.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(sent()).toEqual(['One', 'Two', 'Three', 'Three']);
	});

	it('gets no second attempt with On Error = Continue, because n8n checks only the first output item', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
		const { rows } = await fixture.run(parameters, { items, node: continueOnFail });

		expect(rows.map(({ json }) => json.error !== undefined)).toEqual([false, false, true]);
		expect(sent()).toEqual(['One', 'Two', 'Three']);
	});
});

describe('the last attempt', () => {
	it('lists everything that earlier attempts bought, even if it never started those jobs', async () => {
		// The first attempt finishes Two while One is rejected late; the second never starts Two.
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'One', delayMs: 300 });
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'One' });
		const options = { maxRetries: 0, concurrency: 2, requestInterval: 60 };
		const { error } = await fixture.run({ ...parameters, options }, { items, node: stop });

		for (const { outputUrl, jobId } of fixture.sandbox.ledger.slice(-fixture.charged())) {
			expect(error?.description).toContain(`${outputUrl} (job ${jobId})`);
		}
		expect(error?.message).toMatch(/finished images?: see the details/);
		expect(fixture.charged()).toBeGreaterThan(0);
	});
});

it('an attempt that cannot read the purchases lists what the one before has bought', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
	const read = jest.spyOn(processTable, 'read').mockImplementation(async () => {
		if (fixture.charged() > 0) throw new Error('The table did not answer');
		return await Promise.resolve([]);
	});
	const { error } = await fixture.run(parameters, { items, node: stop });
	read.mockRestore();

	expect(error?.message).toBe('The table did not answer (2 finished images: see the details)');
	for (const { outputUrl } of fixture.sandbox.ledger.slice(-2)) {
		expect(error?.description).toContain(outputUrl);
	}
});

describe('a kept input field named error', () => {
	it.each(settings)(
		'makes n8n retry with On Error = %s, but nothing is bought again',
		async (_name, node) => {
			const options = { ...parameters.options, includeInputFields: true };
			const { rows } = await fixture.run(
				{ ...parameters, options },
				{ items: [{ json: { title: 'One', error: 'From before' } }], node },
			);

			expect(rows[0]?.json).toMatchObject({ error: 'From before', title: 'One' });
			expect(sent()).toEqual(['One']);
		},
	);
});

describe('in a loop', () => {
	it('every run buys its own items, even equal ones', async () => {
		const { run } = await fixture.run(parameters, {
			items: itemsOf('One'),
			rounds: [itemsOf('One'), itemsOf('One')],
			node: stop,
		});

		expect(run.data.resultData.runData[NODE]).toHaveLength(3);
		expect(fixture.charged()).toBe(3);
	});

	it('a failed run’s jobs are taken over by its own second attempt, not by a later run', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two', after: 1 });
		const { run } = await fixture.run(parameters, {
			items: itemsOf('One', 'Two'),
			rounds: [itemsOf('One', 'Two'), itemsOf('One', 'Two')],
			node: stop,
		});

		const ids = (run.data.resultData.runData[NODE] ?? []).flatMap((task) =>
			(task.data?.main?.[0] ?? []).map(({ json }) => json.id),
		);
		expect(new Set(ids).size).toBe(6);
		expect(fixture.charged()).toBe(6);
	});
});

describe('the record of finished jobs', () => {
	it('finds a job although its expressions return another text the next time', async () => {
		fixture.sandbox.arm({ fault: 'download-404' });
		const prompt = '={{ "at " + $now.toMillis() + " " + Math.random() }}';
		const { rows } = await fixture.run(
			{ ...parameters, prompt },
			{ items: itemsOf('One'), node: stop },
		);

		expect(rows[0]?.binary?.data).toBeDefined();
		expect(fixture.charged()).toBe(1);
	});

	it('leaves nothing in the execution if everything is delivered in the end', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const result = await fixture.run(parameters, { items, node: stop });

		expect(result.error).toBeUndefined();
		expect(storedIn(result)).not.toMatch(/finishedJobs|output_url/);
	});

	it('keeps what a failed run bought, even without Retry On Fail, and nothing else', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const result = await fixture.run(parameters, { items });

		const [paid] = fixture.sandbox.ledger.slice(-1);
		expect(result.error).toBeDefined();
		expect(fixture.charged()).toBe(1);
		expect(storedIn(result)).toContain(paid?.outputUrl);
		expect(storedIn(result).match(/output_url/g)).toHaveLength(1);
	});
});
