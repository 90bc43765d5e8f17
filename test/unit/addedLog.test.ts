import type { IExecuteFunctions } from 'n8n-workflow';

import { executionOf } from '../../nodes/ImageGeneration/execution';
import { openPurchases, recordingIn } from '../../nodes/ImageGeneration/recall/openPurchases';
import {
	thisProcess,
	type PurchasingProcess,
} from '../../nodes/ImageGeneration/recall/process/process';
import { newRun } from '../../nodes/ImageGeneration/recall/runRecord';
import { localTable } from '../../nodes/ImageGeneration/recall/table/localTable';
import { FOX, OWL, resultOf } from '../support/jobs';
import { memoryTable } from '../support/memoryTable';
import { recordingRun, type Attempt } from '../support/recordingRun';
import { TestClock } from '../support/testClock';

let process: PurchasingProcess;

beforeEach(async () => {
	process = new TestClock().process('here');
	await localTable.remove((await localTable.read({})).map(({ id }) => id));
});

/** A Purchase Log that somebody adds to the node, and runs that use it. */
function addLog() {
	const log = memoryTable();
	const begin = (attempt: Attempt = {}) =>
		recordingRun({ ...attempt, recording: { table: log.table, process } });
	return { log, begin };
}

/** A run without a log. */
async function bought(how: 'delivered' | 'failed' | 'stopped' | undefined, attempt: Attempt = {}) {
	const run = recordingRun({ ...attempt, recording: { process } });
	await run.buy(OWL, resultOf('owl'));
	if (how !== undefined) await run.end(how);
	return run;
}

describe('what this process remembers of a node that gets a Purchase Log', () => {
	it('moves there before the first run with it reads, so that it can be reused', async () => {
		await bought('delivered');
		const { log, begin } = addLog();
		const run = begin({ policy: { reuses: true } });

		expect(await run.take(OWL)).toStrictEqual(['owl']);
		expect(log.rows.find(({ link }) => link !== '')).toMatchObject({
			state: 'delivered',
			image: 'Item 1, "A fox"',
		});
		expect(await localTable.read({})).toStrictEqual([]);
	});

	it('moves there once, even if two runs begin to use it at once', async () => {
		await bought('stopped');
		const { log, begin } = addLog();
		const both = await Promise.all([begin(), begin()].map(async (run) => await run.take(OWL)));

		expect(both.flat().filter((id) => id !== undefined)).toStrictEqual(['owl']);
		expect(log.rows.filter(({ link }) => link !== '')).toHaveLength(1);
	});

	it('is taken over if its run was stopped', async () => {
		await bought('stopped');
		const { begin } = addLog();

		expect(await begin().take(OWL, FOX)).toStrictEqual(['owl', undefined]);
	});

	it('is told if it is a request that was cut off and may have been charged', async () => {
		const run = recordingRun({ recording: { process } });
		await run.purchases.send(OWL);
		run.stop();
		await run.end('stopped');
		const { begin } = addLog();
		const next = begin();

		expect(await next.take(OWL)).toStrictEqual([undefined]);
		expect(await next.purchases.tell()).toMatchObject([{ row: { image: 'Item 1, "A fox"' } }]);
		expect(await localTable.read({})).toStrictEqual([]);
	});

	it('stays until its run has ended', async () => {
		const run = await bought(undefined);
		const { begin } = addLog();
		expect(await begin().take(OWL)).toStrictEqual([undefined]);
		expect(await localTable.read({})).toHaveLength(1);
		run.stop();
		await run.end('stopped');

		expect(await begin().take(OWL)).toStrictEqual(['owl']);
	});

	it.each(['before', 'after'] as const)(
		'moves once, with the next run, if the log is away %s it takes it',
		async (when) => {
			await bought('stopped');
			const { log, begin } = addLog();
			log.fail(when);
			await expect(begin().take(OWL)).rejects.toThrow('The table is away.');

			expect(await begin().take(OWL)).toStrictEqual(['owl']);
			expect(log.rows.filter(({ link }) => link !== '')).toHaveLength(1);
			expect(await localTable.read({})).toStrictEqual([]);
		},
	);

	it('is not that of another node', async () => {
		await bought('stopped', { common: { node: 'another' } });
		const { begin } = addLog();
		await begin().take(OWL);

		expect(await localTable.read({})).toHaveLength(1);
	});
});

describe('the memory of the process', () => {
	/** What a node of this workflow, and with this account, remembers with. */
	const open = ({ node = 'a node', workflow = 'a workflow', account = 'an account' }) => {
		const functions: Partial<Record<keyof IExecuteFunctions, unknown>> = {
			getNode: () => ({ id: node, parameters: { operation: 'generate' } }),
			getExecutionId: () => '1',
			getMode: () => 'trigger',
			getWorkflow: () => ({ id: workflow, name: 'A workflow' }),
			getContext: () => ({}),
		};
		const context = functions as unknown as IExecuteFunctions;
		const process = thisProcess(workflow);
		const attempt = { process, record: newRun(process), onMissing: () => {} };
		return openPurchases(recordingIn(context, executionOf(context), account, '', attempt));
	};

	it.each([{ node: 'another' }, { workflow: 'another' }, { account: 'another' }])(
		'is kept apart by node, workflow and account: %j',
		async (other) => {
			const run = open({});
			await run.send(OWL);
			await run.bought(OWL, resultOf('owl'));
			await run.end('stopped');

			expect(await open(other).find([OWL])).toStrictEqual([]);
			expect(await open({}).find([OWL])).toMatchObject([{ result: resultOf('owl') }]);
		},
	);
});
