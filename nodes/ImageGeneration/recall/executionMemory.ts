import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Outcome } from '../failures/failures';
import { isJobResult } from '../service/jobResults';
import type { Job, JobResult } from '../types';
import { byKey, storable } from './purchases';

/** What this execution knows of its own purchases, as one run reads and records them. */
export type ExecutionMemory = ReturnType<typeof openExecutionMemory>;

interface Remembered {
	/** Any of these identifies the job. */
	keys: readonly string[];
	outcome: Outcome<JobResult>;
	/** Saves the next attempt from downloading and storing it again. */
	image?: IBinaryData;
	/** Whether a run that is still going on uses it, such as another call of an agent's tool. */
	isTaken: boolean;
}

/** By the node's context in the execution. */
const memories = new WeakMap<object, Set<Remembered>>();

/**
 * Opens the memory in the node's context. Retry On Fail runs the whole node again, and Retry in the
 * list of executions starts at the failed node, paid jobs included. The context survives both (2.40.3,
 * 1.123.81).
 * @param runName Begins the keys of this run's jobs.
 */
export function openExecutionMemory(context: IExecuteFunctions, runName: string) {
	const store = context.getContext('node');
	// Without Retry On Fail only the user can start another attempt, and has read the messages.
	const hasAttempts = context.getNode().retryOnFail === true;
	const remembered = memories.get(store) ?? new Set(readFinished(store));
	memories.set(store, remembered);
	const own = new Map<Job, Remembered>();
	const free = byKey([...remembered]);

	function drop(dropped: Iterable<Remembered>): void {
		for (const entry of dropped) remembered.delete(entry);
		const finished = [...remembered].flatMap(toFinished);
		if (finished.length > 0) store.finishedJobs = finished;
		else delete store.finishedJobs;
	}

	return {
		isEmpty: () => remembered.size === 0,
		/** The outcome of a job that this run added or, from the first call on, takes from an earlier attempt. */
		outcomeOf: (job: Job): Outcome<JobResult> | undefined => {
			const all = job.keys.flatMap((key) => free.get(key) ?? []);
			const found = own.get(job) ?? all.find(({ isTaken }) => !isTaken);
			if (found === undefined) return undefined;
			found.isTaken = true;
			own.set(job, found);
			return found.outcome;
		},
		add: (job: Job, outcome: Outcome<JobResult>): void => {
			if ('failure' in outcome && !hasAttempts) return;
			const kept = 'value' in outcome ? { value: storable(outcome.value) } : outcome;
			const entry = { keys: job.keys, outcome: kept, isTaken: true };
			own.set(job, entry);
			remembered.add(entry);
			if ('failure' in outcome) return;
			const finished = Array.isArray(store.finishedJobs) ? store.finishedJobs : [];
			store.finishedJobs = finished;
			finished.push(...toFinished(entry));
		},
		/** Forgets what is known of a job that is bought again. */
		forget: (job: Job): void => {
			const entry = own.get(job);
			if (entry !== undefined) drop([entry]);
			own.delete(job);
		},
		/** The job's image, if an earlier attempt stored it. */
		imageOf: (job: Job) => own.get(job)?.image,
		addImage: (job: Job, image: IBinaryData): void => {
			const entry = own.get(job);
			if (hasAttempts && entry !== undefined) entry.image = image;
		},
		/** Forgets what earlier attempts of this run bought and no job of this one asked for. */
		takeUnwanted: (): JobResult[] => {
			const isUnwanted = ({ keys, outcome, isTaken }: Remembered) =>
				!isTaken && 'value' in outcome && keys[0]?.startsWith(`${runName}.`);
			const unwanted = [...remembered].filter(isUnwanted);
			drop(unwanted);
			return unwanted.flatMap(toFinished).map(([, result]) => result);
		},
		/** Ends the run. Its jobs are forgotten if n8n has its output, and left to the next attempt if not. */
		end: (isDelivered: boolean): void => {
			if (isDelivered) drop(own.values());
			else for (const entry of own.values()) entry.isTaken = false;
		},
	};
}

/** A finished job in the execution's data: its keys, separated by spaces, and its result. */
function toFinished({ keys, outcome }: Remembered): Array<[string, JobResult]> {
	return 'value' in outcome ? [[keys.join(' '), outcome.value]] : [];
}

/** Checks what it finds, because the execution's data may be damaged or edited. */
function readFinished({ finishedJobs }: IDataObject): Remembered[] {
	if (!Array.isArray(finishedJobs)) return [];
	return finishedJobs.flatMap((entry: unknown) => {
		const [keys, result] = Array.isArray(entry) ? (entry as unknown[]) : [];
		if (typeof keys !== 'string' || !isJobResult(result)) return [];
		return [{ keys: keys.split(' '), outcome: { value: result }, isTaken: false }];
	});
}
