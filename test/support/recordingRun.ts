import type { IContextObject } from 'n8n-workflow';

import type { StoredExecution } from '../../nodes/ImageGeneration/execution';
import { ExecutionMemory } from '../../nodes/ImageGeneration/recall/executionMemory';
import { openPurchases } from '../../nodes/ImageGeneration/recall/openPurchases';
import { thisProcess } from '../../nodes/ImageGeneration/recall/process/process';
import {
	recall,
	takeOver,
	type Recalled,
	type RecallPolicy,
} from '../../nodes/ImageGeneration/recall/recall';
import {
	newRun,
	type AttemptEnd,
	type Recording,
} from '../../nodes/ImageGeneration/recall/runRecord';
import { localTable } from '../../nodes/ImageGeneration/recall/table/localTable';
import { ExecutionState } from '../../nodes/ImageGeneration/run/executionState';
import type { Job, JobResult } from '../../nodes/ImageGeneration/types';
import { shown } from './jobs';

/** What n8n says of an execution: that it goes on, unless more is given. */
export const stored = ({
	isFailed = false,
	isComplete = false,
	isRecovered = false,
	lastNodeEnd = -Infinity,
	links = [] as string[],
	keptLinks = [] as string[],
} = {}): StoredExecution => ({
	isFailed,
	isComplete,
	isRecovered,
	lastNodeEnd,
	links: new Set(links),
	keptLinks: new Set(keptLinks),
});

export type RecordingRun = ReturnType<typeof recordingRun>;

/** What an attempt of a run is made of. All of it has a default. */
export interface Attempt {
	recording?: Partial<Omit<Recording, 'common'>>;
	common?: Partial<Recording['common']>;
	/** What the runs of its execution share. */
	state?: ExecutionState;
	/** Names the run in its execution, as the rounds of a loop are counted. */
	name?: string;
	/** Whether n8n starts another attempt by itself if this one fails. */
	hasAttempts?: boolean;
	policy?: Partial<RecallPolicy>;
	/** Whether an agent uses the node as its tool. */
	isTool?: boolean;
}

let executions = 0;

/**
 * What the runs of an execution share.
 * @param store The node's data in it.
 * @param signal Aborted when it is stopped.
 * @param earlierLinks What its earlier runs returned, of which this process knows nothing.
 */
export const executionState = (
	store: object = {},
	signal = new AbortController().signal,
	earlierLinks: readonly string[] = [],
): ExecutionState =>
	ExecutionState.of({
		context: store as IContextObject,
		signal,
		earlierLinks: () => new Set(earlierLinks),
	});

/** The same data after n8n stored it. */
export const afterStorage = (store: object) => JSON.parse(JSON.stringify(store)) as object;

/** An attempt of a run with its memories, which has begun as run/attempt.ts begins it. */
export function recordingRun({
	recording,
	common,
	state: given,
	name = '0',
	hasAttempts = false,
	policy: special,
	isTool = false,
}: Attempt = {}) {
	const stopped = new AbortController();
	const process = recording?.process ?? thisProcess('a workflow');
	const complete: Recording = {
		table: localTable,
		process,
		signal: stopped.signal,
		record: newRun(process),
		n8n: async () => await Promise.resolve(undefined),
		onMissing: () => {},
		...recording,
		common: {
			operation: 'generate',
			workflow: 'A workflow',
			execution: `x${++executions}`,
			parent: '',
			node: 'a node',
			...common,
		},
	};
	const state = given ?? executionState({}, complete.signal);
	const policy: RecallPolicy = {
		reuses: false,
		distrustsAddresses: false,
		isRetry: false,
		linkOrigin: 'https://example.com',
		allowsOtherHosts: false,
		...special,
	};
	const memory = new ExecutionMemory(state.jobs, name, hasAttempts);
	const purchases = openPurchases(complete);
	const recalling = { memory, purchases, policy, isTool, signal: complete.signal };
	return {
		memory,
		purchases,
		policy,
		record: complete.record,
		execution: complete.common.execution,
		/** Stops its execution in n8n, unless the recording has a signal of its own. */
		stop: () => {
			stopped.abort();
		},
		recall: async (jobs: readonly Job[]) => await recall(recalling, jobs),
		takeOver: async (jobs: readonly Job[], recalled: Recalled) =>
			await takeOver(recalling, jobs, recalled),
		/** Recalls the jobs, takes what is known, and returns its ids, or what else is known. */
		take: async (...jobs: Job[]) => {
			const recalled = await recall(recalling, jobs);
			const { known } = await takeOver(recalling, jobs, recalled);
			return jobs.map((job) => shown(known.get(job)?.outcome));
		},
		/** Buys a job. */
		buy: async (job: Job, result: JobResult) => {
			await purchases.send(job);
			memory.add(job, { value: result });
			await purchases.bought(job, result);
		},
		end: async (how: AttemptEnd) => {
			memory.end(how === 'delivered');
			await state.end(purchases, how, { signal: complete.signal, goesOn: isTool });
		},
	};
}
