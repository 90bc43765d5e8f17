import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { askN8n, executionOf } from '../../nodes/ImageGeneration/execution';

const LINK = 'https://example.com/job-view-file/1/output.jpg';
const OTHER = 'https://example.com/job-view-file/2/output.jpg';

/** When the nodes of an execution ran, in milliseconds. */
const START = Date.parse('2026-11-27T12:00:00Z');
const TIMES = { startTime: START, executionTime: 250 };
const END = START + 250;
/** One run of a node, as n8n stores it. */
const ran = (...items: INodeExecutionData[]) => [
	{ ...TIMES, executionStatus: 'success', data: { main: [items] } },
];
/** What n8n makes up for a node after a kill, with seconds where it has milliseconds otherwise. */
const madeUp = [
	{
		...ran({ json: { isArtificialRecoveredEventItem: true } })[0],
		startTime: START / 1000,
		executionTime: -1,
	},
];
const trigger = ran({ json: { title: 'Owl' } });
const delivered = ran({ json: { id: '1', output_url: LINK } });
const failed = [{ ...TIMES, executionStatus: 'error', error: { message: 'Rejected' } }];
const crashed = [
	{
		startTime: START / 1000,
		executionTime: 0,
		executionStatus: 'crashed',
		error: { message: 'Node crashed, possible out-of-memory issue' },
	},
];
const STOPPED = { message: 'The execution was cancelled manually' };
const KILLED = { message: 'Workflow did not finish, possible out-of-memory issue' };

/** An n8n that has stored this of the execution 7. */
async function answer(
	runData: object,
	{
		error,
		context = {},
		last,
		next = [],
	}: { error?: object; context?: object; last?: string; next?: string[] } = {},
) {
	const stored = {
		resultData: { runData, ...(error && { error }), lastNodeExecuted: last },
		executionData: { contextData: context, nodeExecutionStack: next },
	};
	return await answerWith(stored);
}

async function answerWith(stored: unknown) {
	const context: Partial<Record<keyof IExecuteFunctions, unknown>> = {
		getExecutionDataById: async (id: string) =>
			await Promise.resolve(id === '7' ? stored : undefined),
	};
	return await askN8n(context as unknown as IExecuteFunctions)('7');
}

describe('of an execution', () => {
	const finished = { 'node:Draw': { finishedJobs: [['0.Owl', { output_url: LINK }]] } };
	const nothing = {
		isFailed: false,
		isComplete: false,
		isRecovered: false,
		lastNodeEnd: -Infinity,
		links: new Set(),
		keptLinks: new Set(),
	};
	const output = { ...nothing, lastNodeEnd: END, links: new Set([LINK]) };

	it.each<[what: string, expected: object, stored: Parameters<typeof answer>]>([
		['that runs, n8n has nothing', nothing, [{}]],
		[
			'that runs with its progress saved, n8n has output',
			output,
			[{ Trigger: trigger, Draw: delivered }, { next: ['Later'] }],
		],
		[
			'that ended well, n8n has output',
			{ ...output, isComplete: true },
			[{ Trigger: trigger, Draw: delivered, Later: ran({ json: {} }) }],
		],
		[
			'that failed in the node, n8n has the links that Retry takes',
			{
				...nothing,
				isFailed: true,
				isComplete: true,
				lastNodeEnd: END,
				keptLinks: new Set([LINK]),
			},
			[
				{ Trigger: trigger, Draw: failed },
				{ error: failed, context: finished, last: 'Draw' },
			],
		],
		[
			'that failed in a later node, n8n has the output until then',
			{ ...output, isFailed: true, isComplete: true },
			[
				{ Trigger: trigger, Draw: delivered, Later: failed },
				{ error: failed, last: 'Later' },
			],
		],
		[
			'that was killed, n8n has items that it made up, of long ago',
			{ ...nothing, isFailed: true, isRecovered: true, lastNodeEnd: START / 1000 },
			[
				{ Trigger: madeUp, Draw: madeUp, Later: crashed },
				{ error: KILLED, last: 'Later' },
			],
		],
		[
			'that was killed in a later round of a loop, n8n has made-up items without an error',
			{ ...nothing, isRecovered: true, lastNodeEnd: START / 1000 - 1 },
			[{ Trigger: madeUp, Loop: madeUp, Draw: madeUp }, { next: ['Trigger'] }],
		],
		[
			'that was killed after it had waited, n8n has what came before',
			{ ...nothing, isFailed: true, isRecovered: true, lastNodeEnd: END },
			[
				{ Trigger: trigger, Wait: trigger, Draw: madeUp, Later: crashed },
				{ error: KILLED, last: 'Later' },
			],
		],
		[
			'that was killed with its progress saved, n8n has the output until then',
			{ ...output, isFailed: true },
			[{ Trigger: trigger, Draw: delivered }, { error: KILLED }],
		],
		[
			'that was stopped while a later node ran, n8n 2 has an error alone',
			{ ...nothing, isFailed: true },
			[{}, { error: STOPPED }],
		],
		[
			'that was stopped while a later node ran after a pause, n8n 2 has what came before',
			{ ...nothing, isFailed: true, lastNodeEnd: END },
			[
				{ Trigger: trigger, Wait: trigger },
				{ error: STOPPED, last: 'Wait' },
			],
		],
		[
			'whose time was over while a later node ran, n8n has the output until then',
			{ ...output, isComplete: true },
			[{ Trigger: trigger, Draw: delivered, Later: [{ ...TIMES, executionStatus: 'canceled' }] }],
		],
	])('%s', async (_what, expected, stored) => {
		expect(await answer(...stored)).toStrictEqual(expected);
	});

	it('that was tried out and killed in a loop, n8n does not know what was left to run', async () => {
		const stored = await answerWith({ resultData: { runData: { Draw: madeUp } } });

		expect(stored).toMatchObject({ isFailed: false, isComplete: false, isRecovered: true });
	});

	it('that is not saved, or has been deleted, n8n has nothing', async () => {
		expect(await answerWith(undefined)).toBeUndefined();
	});
});

it('links are found wherever they stand in an execution’s data, escaped and in any spelling', async () => {
	const links = [OTHER, 'HTTP://example.com/a"b\\c', 'https://example.com/ünï?a=1&b=2'];
	const json = { list: [{ link: links[0] }], deep: { er: links[1] }, [String(links[2])]: null };
	const found = await answer({ Draw: ran({ json }, { json: { note: `See ${LINK}` } }) });

	expect([...(found?.links ?? [])]).toStrictEqual(links);
});

describe('an execution in n8n', () => {
	/** What n8n's Agents have, at most. */
	const agents = {
		getExecutionId: () => undefined,
		getMode: () => 'internal',
		getWorkflow: () => ({}),
		getContext: () => {
			throw new Error('There is no execution data');
		},
	};
	const of = (context: object) => executionOf(context as IExecuteFunctions);

	it('needs no id, no saved workflow, no data and no signal', () => {
		expect(of(agents)).toMatchObject({
			id: undefined,
			parentId: '',
			workflow: { id: '', name: '' },
			context: {},
			signal: { aborted: false },
		});
	});

	it.each([
		['trigger', [false, false, false]],
		['manual', [true, false, false]],
		['retry', [false, true, false]],
		['integrated', [false, false, true]],
	])('in mode %s is a manual one, Retry or a sub-workflow: %j', (mode, expected) => {
		const { isManual, isRetry, isSubWorkflow } = of({ ...agents, getMode: () => mode });

		expect([isManual, isRetry, isSubWorkflow]).toStrictEqual(expected);
	});

	it('knows the one that runs it as a sub-workflow, and not the failed one that an error workflow is about', () => {
		const getExecutionContext = () => ({ parentExecutionId: '6' });
		const parentIn = (mode: string) =>
			of({ ...agents, getMode: () => mode, getExecutionContext }).parentId;

		expect(['integrated', 'error'].map(parentIn)).toStrictEqual(['6', '']);
	});

	it.each([
		['manualTrigger', true],
		['executeWorkflow', true],
		['webhook', false],
	])('that runs as a sub-workflow of one that began at %s is tried out: %p', (type, expected) => {
		const getExecutionContext = () => ({ triggerNode: { type: `n8n-nodes-base.${type}` } });
		const context = { ...agents, getMode: () => 'integrated', getExecutionContext };

		expect(of(context).isManual).toBe(expected);
	});

	it('knows the links of images that the node’s earlier runs returned, also at the error output, and no others', () => {
		const outputs: Record<string, INodeExecutionData[]> = {
			'0 0': [{ json: { output_url: LINK, source: 'https://example.com/input' } }],
			'2 1': [{ json: { error: 'No image', details: { output_url: OTHER } } }],
		};
		const $items = (name: string, output: number, run: number) => {
			const found = name === 'Draw' ? outputs[`${run} ${output}`] : undefined;
			if (found === undefined) throw new Error('No data');
			return found;
		};
		const getNode = () => ({ name: 'Draw', type: 'imageGeneration' });
		const getWorkflowDataProxy = () => ({ $runIndex: 3, $items });

		const { earlierLinks } = of({ ...agents, getNode, getWorkflowDataProxy });
		expect(earlierLinks()).toStrictEqual(new Set([LINK, OTHER]));
	});
});
