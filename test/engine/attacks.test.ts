import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { N8nTables } from '../support/n8nTables';
import { processNow } from '../support/remembered';
import { fox, generate, hintsOf, idsOf, itemsOf } from '../support/runs';
import { until } from '../support/until';

const fixture = useFixture({ allowance: 10_000 });
const jobIds = () => fixture.charges().map(({ jobId }) => jobId);
const fails = async () => await Promise.reject(new Error('The sheet is away'));
const statesIn = (tables: N8nTables) => tables.table('Log').rows.map(({ state }) => state);

/** Stops a run while the service makes its images. */
async function stopInTheMiddle(parameters: INodeParameters, items: INodeExecutionData[]) {
	fixture.sandbox.arm({ fault: 'delay-after', delayMs: 500, times: items.length });
	const { result, stop } = fixture.start(parameters, { items });
	await until(() => fixture.charged() === items.length);
	stop();
	return await result;
}

describe('with a Purchase Log, the images of an execution that failed later are there', () => {
	it('also if it asked for the same 25 times', async () => {
		const tables = new N8nTables();
		const items = itemsOf(...Array<string>(25).fill('Same'));
		const parameters = generate({ purchaseLog: 'Log', download: false });
		await fixture.run(parameters, { items, later: fails, tables });
		const next = await fixture.run(parameters, { items, tables });

		expect(new Set(idsOf(next))).toStrictEqual(new Set(jobIds()));
		expect(fixture.charged()).toBe(25);
	});

	it('also if somebody deletes the table while a run buys, and a new one is made', async () => {
		const tables = new N8nTables();
		const items = itemsOf('1', '2', '3', '4', '5', '6', '7', '8');
		const parameters = generate({ purchaseLog: 'Log' });
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 300, times: 5 });
		const first = fixture.start(parameters, { items, tables });
		await until(() => fixture.charged() === 5);
		tables.delete('Log');
		expect((await first.result).error?.message).toContain('The purchase log "Log" can\'t be used');
		await fixture.run(parameters, { items, tables });

		expect(fixture.charged()).toBe(8);
		expect(statesIn(tables)).toStrictEqual(Array(8).fill('delivered'));
	});
});

it('a run whose reads of the Purchase Log arrive late says nothing untrue of another run, and overwrites none of its rows', async () => {
	const tables = new N8nTables();
	const parameters = generate({ purchaseLog: 'Log' });
	await fixture.run(parameters, { items: itemsOf('One'), later: fails, tables });
	fixture.sandbox.arm({ fault: 'delay-after', delayMs: 1500, when: 'Two' });
	const { executeWorkflow } = tables;
	let slow: string | undefined;
	Object.assign(tables, {
		executeWorkflow: async (...call: Parameters<typeof executeWorkflow>) => {
			const [{ code }, { executionId }] = call;
			slow ??= executionId;
			const answer = await executeWorkflow(...call);
			const isRead = code?.nodes[1]?.parameters.operation === 'get';
			if (isRead && slow === executionId) await new Promise((resolve) => setTimeout(resolve, 500));
			return answer;
		},
	});
	const [late] = await Promise.all(
		[itemsOf('One'), itemsOf('One', 'Two')].map(
			async (items) => await fixture.run(parameters, { items, tables }),
		),
	);

	expect(late && hintsOf(late)).toStrictEqual(['1 image was bought.']);
	expect(statesIn(tables)).toStrictEqual(Array(3).fill('delivered'));
	expect(tables.table('Log').rows.every(({ link }) => link !== null)).toBe(true);
});

it('a run that waits for forty images of another one with Always does not read the Purchase Log once for each', async () => {
	const tables = new N8nTables({ latency: () => 20 });
	const items = itemsOf(...Array.from({ length: 40 }, (_, index) => `Image ${index}`));
	const parameters = generate({ purchaseLog: 'Log', reuse: 'always', concurrency: 2 });
	fixture.sandbox.arm({ fault: 'delay-after', delayMs: 100, times: 40 });
	const first = fixture.start(parameters, { items, tables });
	await until(() => fixture.calls().length > 0);
	const before = new Set(tables.calls.map(({ executionId }) => executionId));
	const second = await fixture.run(parameters, { items, tables });
	await first.result;

	expect(fixture.charged()).toBe(40);
	expect(second.rows).toHaveLength(40);
	const reads = tables.calls.filter(
		({ executionId, operation }) => !before.has(executionId) && operation === 'get',
	);
	expect(reads.length).toBeLessThan(items.length);
});

describe('after Stop', () => {
	it('the editor’s next run, which has the awaited image, does not say that it was not used', async () => {
		await stopInTheMiddle(generate(), itemsOf('One'));
		const next = await fixture.run(generate(), { items: itemsOf('One'), mode: 'manual' });

		expect(idsOf(next)).toStrictEqual(jobIds());
		expect(hintsOf(next)).toHaveLength(1);
	});

	it('nothing is said to be charged while the service refused everything', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 429, retryAfter: '30', times: 9 });
		const { result, stop } = fixture.start(fox());
		await until(() => fixture.calls().length === 1);
		await new Promise((resolve) => setTimeout(resolve, 100));
		stop();
		const { error } = await result;

		expect(`${error?.message} ${error?.description}`).not.toMatch(/charged|being made/);
	});
});

it('a request that could not be counted under Max Images per Day is not said to be charged', async () => {
	const tables = new N8nTables();
	const parameters = fox({ purchaseLog: 'Log', maxImagesPerDay: 5 });
	let isRecorded = false;
	const { executeWorkflow } = tables;
	Object.assign(tables, {
		executeWorkflow: async (...call: Parameters<typeof executeWorkflow>) => {
			const operation = call[0].code?.nodes[1]?.parameters.operation;
			if (operation === 'get' && isRecorded) throw new Error('The database did not answer.');
			if (operation === 'insert') isRecorded = true;
			return await executeWorkflow(...call);
		},
	});
	const { error } = await fixture.run(parameters, { tables });
	Object.assign(tables, { executeWorkflow });
	const next = await fixture.run(parameters, { tables });

	expect(error?.message).toContain('The database did not answer.');
	expect(hintsOf(next)).toStrictEqual(['1 image was bought.']);
	expect(
		processNow().purchaseTimes.since(processNow().journal.find(() => true)[0]?.node ?? '', 0).size,
	).toBe(1);
	expect(fixture.charged()).toBe(1);
});
