import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { FaultRule, LedgerEntry, Sandbox } from '../../sandbox';
import { NODE, type Engine, type EngineResult } from '../support/engine';
import { PIXEL } from '../support/images';
import { KEY, type OperationName } from './cases';

/** What a user does with a workflow, step by step. */
export interface History {
	operation: OperationName;
	/** Unique among all histories. */
	name: string;
	/** Items per round of a loop. */
	rounds: number[];
	node: Partial<INode>;
	/** Max Images; undefined for no limit. */
	maxImages: number | undefined;
	steps: Step[];
}

/** A manual run of the workflow, or a Retry of the previous step if that one stopped. */
export interface Step {
	how: 'run' | 'retry';
	/**
	 * What the user changed in the node first: nothing, its prompt, or settings that do not shape
	 * the request.
	 */
	change: 'nothing' | 'prompt' | 'settings';
	reuse: boolean;
	faults: FaultRule[];
}

/** What a step left behind. */
export interface StepEvidence {
	step: Step;
	/** Whether it continued the previous step's execution. */
	isRetry: boolean;
	charges: KeyedCharge[];
	/** The output items of all rounds of the execution so far. */
	rows: DeliveredRow[];
	/** Everything the user reads: errors and output. */
	reportedText: string;
}

/** A charge and the request it paid for. */
export interface KeyedCharge {
	key: string;
	entry: LedgerEntry;
}

interface DeliveredRow {
	key: string;
	json: INodeExecutionData['json'];
	image: Buffer | undefined;
	/** The image generated for the job; undefined if no job belongs to the output item. */
	generated: Buffer | undefined;
}

const SUFFIX = ' changed';

/** Plays all steps of a history. */
export async function runHistory(
	engine: Engine,
	sandbox: Sandbox,
	history: History,
): Promise<StepEvidence[]> {
	const { operation, steps, node } = history;
	const rounds = await Promise.all(
		history.rounds.map(async (count, round) => await itemsOf(engine, history.name, round, count)),
	);
	const titles = rounds.flat().map(({ title }) => title);
	const files = new Map(rounds.flat().map(({ title, bytes }) => [title, bytes]));
	const evidence: StepEvidence[] = [];
	let last: EngineResult | undefined;
	for (const step of steps) {
		const first = sandbox.ledger.length;
		sandbox.disarm();
		for (const rule of step.faults) sandbox.arm(rule);
		const failed = step.how === 'retry' && last?.error !== undefined ? last : undefined;
		// A stopped run is the last one. Retry repeats it, then the loop continues with the
		// remaining rounds.
		const begun = failed === undefined ? 0 : runsOf(failed).length;
		const [items = [], ...further] = rounds.slice(begun).map((round) => round.map(inputOf));
		const suffix = step.change === 'prompt' && operation !== 'removeBackground' ? SUFFIX : '';
		const what = {
			credential: { baseUrl: sandbox.url, apiKey: KEY },
			parameters: parametersOf(history, step, suffix),
			items,
			rounds: [...further, []],
			node,
			mode: 'manual' as const,
		};
		last = failed === undefined ? await engine.run(what) : await engine.retry(failed, what);
		evidence.push({
			step,
			isRetry: failed !== undefined,
			charges: await chargesOf(sandbox, first, titles, files),
			rows: await rowsOf(engine, sandbox, last),
			reportedText: reportedTextOf(last),
		});
	}
	return evidence;
}

function parametersOf(
	{ operation, maxImages }: History,
	{ change, reuse }: Step,
	suffix: string,
): INodeParameters {
	return {
		operation,
		prompt: `={{ $json.title }}${suffix}`,
		size: '128x128',
		options: {
			maxRetries: 0,
			...(maxImages !== undefined && { maxImages }),
			...(reuse && { reuse: 'manualRuns' }),
			...(change === 'settings' && { timeout: 61, concurrency: 2, fileName: 'other' }),
		},
	};
}

interface HistoryItem {
	title: string;
	bytes: Buffer;
	item: INodeExecutionData;
}

const inputOf = ({ item }: HistoryItem) => item;

async function itemsOf(
	engine: Engine,
	name: string,
	round: number,
	count: number,
): Promise<HistoryItem[]> {
	return await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			const title = `${name}, item ${index} of round ${round}.`;
			// Bytes after the image make every item's file different.
			const bytes = Buffer.concat([PIXEL, Buffer.from(title)]);
			const data = await engine.store(bytes, `${title}.gif`, 'image/gif');
			return { title, bytes, item: { json: { title }, binary: { data } } };
		}),
	);
}

async function chargesOf(
	sandbox: Sandbox,
	first: number,
	titles: string[],
	files: Map<string, Buffer>,
): Promise<KeyedCharge[]> {
	const charges = await Promise.all(
		sandbox.ledger.slice(first).map(async (entry) => {
			const { text } = entry.fields;
			if (text !== undefined) return { key: text, entry };
			const bytes = await sandbox.output(entry.jobId);
			return { key: titles.find((title) => files.get(title)?.equals(bytes)) ?? '', entry };
		}),
	);
	// A late charge of another history is ignored.
	return charges.filter(({ key }) => titles.some((title) => key.startsWith(title)));
}

function runsOf({ run }: EngineResult) {
	return run.data.resultData.runData[NODE] ?? [];
}

async function rowsOf(
	engine: Engine,
	sandbox: Sandbox,
	result: EngineResult,
): Promise<DeliveredRow[]> {
	const rows = runsOf(result).flatMap(({ data }) => data?.main?.[0] ?? []);
	const delivered = rows.filter(({ json }) => json.error === undefined);
	return await Promise.all(
		delivered.map(async ({ json, binary }) => {
			const job = sandbox.ledger.find(
				({ jobId, outputUrl }) => jobId === json.id || outputUrl === json.output_url,
			);
			return {
				key: job?.fields.text ?? '',
				json,
				image: binary?.data === undefined ? undefined : await engine.bytesOf(binary.data),
				generated: job === undefined ? undefined : await sandbox.output(job.jobId),
			};
		}),
	);
}

function reportedTextOf(result: EngineResult): string {
	const rows = runsOf(result).flatMap(({ data }) => data?.main?.[0] ?? []);
	const { message = '', description = '' } = result.error ?? {};
	return [message, description, ...rows.map(({ json }) => JSON.stringify(json))].join('\n');
}
