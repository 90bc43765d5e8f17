import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { NODE, type Engine, type EngineResult, type EngineRun } from '../support/engine';
import type { ValueOf } from '../support/fuzz';
import { gif } from '../support/images';
import { until } from '../support/until';
import { KEY, OPERATIONS } from './cases';
import { randomFault } from './randomFault';

/** A run of the workflow, or a Retry of the previous step if that one failed. */
const step = fc.record({
	how: fc.constantFrom('run', 'retry', 'retry'),
	/**
	 * What the user changed in the node first: nothing, its prompt, or settings that do not shape
	 * the request.
	 */
	change: fc.constantFrom('nothing', 'prompt', 'settings'),
	mode: fc.constantFrom('manual', 'trigger'),
	/** Stop is pressed after this many charges; undefined if it isn't. */
	stopAfter: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 2 }),
	/** Hours since the previous step. */
	wait: fc.constantFrom(0, 0, 1, 25),
	/** Whether the user left Reuse Images as it is, which is for manual runs. */
	reuse: fc.boolean(),
	faults: fc.array(randomFault(), { maxLength: 3 }),
});
type Step = ValueOf<typeof step>;

/** What a user does with a workflow, step by step. */
export const history = fc.record({
	operation: fc.constantFrom(...OPERATIONS),
	/** Items per round of a loop. */
	rounds: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
	node: fc.record({
		onError: fc.constantFrom('stopWorkflow', 'stopWorkflow', 'continueRegularOutput'),
		retryOnFail: fc.boolean(),
		maxTries: fc.integer({ min: 2, max: 3 }),
		waitBetweenTries: fc.constant(1),
	}),
	/** Max Images; undefined for no limit. */
	maxImages: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
	steps: fc.array(step, { minLength: 2, maxLength: 5 }),
});
/** A history with a name, unique among all. */
export type History = ValueOf<typeof history> & { name: string };

/** What a step left behind. */
export interface StepEvidence {
	step: Step;
	/** Whether it continued the previous step's execution. */
	isRetry: boolean;
	isStopped: boolean;
	/** Hours since the first step. */
	time: number;
	charges: KeyedCharge[];
	/** The output items of all rounds of the execution so far. */
	rows: DeliveredRow[];
	/** The error items of all rounds that ended. */
	errorItems: string;
	/** Everything the user reads: errors and output. */
	reportedText: string;
}

/** A charge and the request it paid for. */
export type KeyedCharge = Awaited<ReturnType<typeof chargesOf>>[number];

interface DeliveredRow {
	json: INodeExecutionData['json'];
	/**
	 * Whether it has the image that was generated for its job, whose text, or the file it echoes, is
	 * that of the paired input item.
	 */
	isRight: boolean;
}

/** Plays all steps of a history. */
export async function runHistory(engine: Engine, sandbox: Sandbox, history: History) {
	const { steps, node } = history;
	const rounds = await Promise.all(
		history.rounds.map(async (count, round) => await itemsOf(engine, history.name, round, count)),
	);
	const evidence: StepEvidence[] = [];
	let last: EngineResult | undefined;
	let time = 0;
	const now = Date.now.bind(Date);
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + time * 3_600_000);
	for (const step of steps) {
		time += step.wait;
		const first = sandbox.ledger.length;
		sandbox.disarm();
		for (const rule of step.faults) sandbox.arm(rule);
		const isFailed = last?.error !== undefined && last.run.status !== 'canceled';
		const failed = step.how === 'retry' && isFailed ? last : undefined;
		// A stopped run is the last one. Retry repeats it, then the loop continues with the
		// remaining rounds.
		const begun = failed === undefined ? 0 : runsOf(failed).length;
		const [items = [], ...further] = rounds
			.slice(begun)
			.map((round) => round.map(({ item }) => item));
		const what = {
			credential: { baseUrl: sandbox.url, apiKey: KEY },
			parameters: parametersOf(history, step),
			items,
			rounds: [...further, []],
			node,
			mode: step.mode,
		};
		last =
			failed === undefined
				? await runUntilStop(engine, sandbox, what, step)
				: await engine.retry(failed, what);
		const charges = await chargesOf(sandbox, first, rounds.flat());
		const isStopped = last.run.status === 'canceled';
		// n8n passes the input on as the output of a node that it stopped.
		const ended = isStopped ? rounds.slice(0, runsOf(last).length - 1) : rounds;
		evidence.push({
			step,
			isRetry: failed !== undefined,
			isStopped,
			time,
			charges,
			rows: await rowsOf(engine, sandbox, last, ended),
			errorItems: JSON.stringify(outputOf(last, ended).filter(({ json }) => 'error' in json)),
			reportedText: reportedTextOf(last),
		});
	}
	clock.mockRestore();
	return evidence;
}

/** Runs the node, and presses Stop after as many charges as the step says. */
async function runUntilStop(
	engine: Engine,
	sandbox: Sandbox,
	what: EngineRun,
	{ stopAfter }: Step,
): Promise<EngineResult> {
	const first = sandbox.ledger.length;
	const { result, stop } = engine.start(what);
	let isOver = false;
	void result.finally(() => (isOver = true));
	if (stopAfter !== undefined) {
		await until(() => isOver || sandbox.ledger.length - first >= stopAfter);
		stop();
	}
	return await result;
}

function parametersOf({ operation, maxImages }: History, { change, reuse }: Step): INodeParameters {
	const suffix = change === 'prompt' && operation !== 'removeBackground' ? ' changed' : '';
	return {
		operation,
		prompt: `={{ $json.title }}${suffix}`,
		size: '128x128',
		options: {
			...(maxImages !== undefined && { maxImages }),
			...(!reuse && { reuse: 'never' }),
			...(change === 'settings' && { timeout: 61, concurrency: 2, fileName: 'other' }),
		},
	};
}

type HistoryItem = Awaited<ReturnType<typeof itemsOf>>[number];

async function itemsOf(engine: Engine, name: string, round: number, count: number) {
	return await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			const title = `${name}, item ${index} of round ${round}.`;
			const bytes = gif(title);
			const data = await engine.store(bytes, `${title}.gif`, 'image/gif');
			return { title, bytes, item: { json: { title }, binary: { data } } };
		}),
	);
}

async function chargesOf(sandbox: Sandbox, first: number, items: HistoryItem[]) {
	const charges = await Promise.all(
		sandbox.ledger.slice(first).map(async (entry) => {
			const { text } = entry.fields;
			if (text !== undefined) return { key: text, entry };
			const echoed = await sandbox.output(entry.jobId);
			return { key: items.find(({ bytes }) => bytes.equals(echoed))?.title ?? '', entry };
		}),
	);
	// A late charge of another history is ignored.
	return charges.filter(({ key }) => items.some(({ title }) => key.startsWith(title)));
}

function runsOf({ run }: EngineResult) {
	return run.data.resultData.runData[NODE] ?? [];
}

function outputOf(result: EngineResult, rounds: HistoryItem[][]) {
	return runsOf(result)
		.slice(0, rounds.length)
		.flatMap(({ data }, round) => (data?.main?.[0] ?? []).map((row) => ({ ...row, round })));
}

async function rowsOf(
	engine: Engine,
	sandbox: Sandbox,
	result: EngineResult,
	rounds: HistoryItem[][],
): Promise<DeliveredRow[]> {
	const delivered = outputOf(result, rounds).filter(({ json }) => json.error === undefined);
	return await Promise.all(
		delivered.map(async ({ json, binary, pairedItem, round }) => {
			const job = sandbox.ledger.find(
				({ jobId, outputUrl }) => jobId === json.id || outputUrl === json.output_url,
			);
			const item = rounds[round]?.[(pairedItem as { item: number }).item];
			if (job === undefined || item === undefined || binary === undefined)
				return { json, isRight: false };
			const generated = await sandbox.output(job.jobId);
			const isForItem = job.fields.text?.startsWith(item.title) ?? generated.equals(item.bytes);
			const image = await engine.bytesOf(binary.data);
			return { json, isRight: isForItem && image.equals(generated) };
		}),
	);
}

function reportedTextOf(result: EngineResult): string {
	const rows = runsOf(result).flatMap(({ data }) => data?.main?.[0] ?? []);
	const { message = '', description = '' } = result.error ?? {};
	return [message, description, ...rows.map(({ json }) => JSON.stringify(json))].join('\n');
}
