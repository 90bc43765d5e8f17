import { settle, type Outcome } from '../failures/failures';
import type { Job, JobResult } from '../types';
import { byKey, type Entry } from './entry';
import type { ExecutionMemory } from './executionMemory';
import type { Found } from './findPurchases';
import type { Purchases } from './purchases';

/** What a run remembers with. */
export interface Memories {
	/** What this execution bought. */
	memory: ExecutionMemory;
	/** What the node bought in all executions. */
	purchases: Purchases;
}

/** What decides which purchases of other runs a run uses. */
export interface RecallPolicy {
	/** Whether it may use images of any earlier run: Reuse Images. */
	reuses: boolean;
	/** Whether it retries an execution of which n8n had stored nothing. */
	isStartedOver: boolean;
	isTool: boolean;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
}

/** What is known of a job before anything is bought. */
export interface Known {
	outcome: Outcome<JobResult>;
	/**
	 * What this execution has in its data from earlier attempts, also before Retry; a run or execution that was
	 * cut off; the execution that Retry starts over; or any earlier run.
	 */
	from: 'this execution' | 'stopped run' | 'retried execution' | 'earlier run';
	/** The purchase of another run that this one uses. */
	entry?: Entry;
}

/** What a run learns before it buys. */
export interface Recalled {
	known: Map<Job, Known>;
	/** What jobs are bought again because nobody knows whether the execution that bought it ended. */
	lostTrack: Entry[];
	/** What was cut off, and no job asks for. */
	leftOver: Entry[];
	found: Found;
}

/** In milliseconds: what is behind an address may change. */
const ADDRESS_AGE = 10 * 60 * 1000;

/**
 * Finds out for every job, in order, whether it is settled already, and by whom. Takes nothing over:
 * {@link takeOver} does.
 */
export async function recall(
	{ memory, purchases }: Memories,
	policy: RecallPolicy,
	jobs: readonly Job[],
): Promise<Recalled> {
	const known = new Map<Job, Known>();
	for (const job of jobs) {
		const outcome = memory.outcomeOf(job);
		if (outcome !== undefined) known.set(job, { outcome, from: 'this execution' });
	}
	// An agent repeats a request because it wants another image. After Stop nothing is bought.
	const isAlone = policy.isTool || policy.signal.aborted;
	const found = isAlone
		? { entries: [], deadProcesses: [] }
		: await purchases.find(jobs, policy.reuses);
	const { entries } = found;
	const used = new Set<Entry>();
	const images = entries.flatMap((entry) =>
		entry.result === undefined ? [] : [{ keys: [entry.result.output_url], entry }],
	);
	const byLink = byKey(images);
	/** Two rows may have one image: Retry in another process adds its own if the first one's is deferred. */
	const markUsed = (link: string): void => {
		for (const { entry } of byLink.get(link) ?? []) used.add(entry);
	};
	for (const [, { output_url }] of attempted(known)) markUsed(output_url);
	const offers = byKey(entries);
	const lostTrack: Entry[] = [];

	for (const job of jobs) {
		if (known.has(job)) continue;
		// Files are read only if something may be found.
		const isAllUsed = used.size === entries.length;
		const keys = isAllUsed ? [] : [...job.keys, await purchases.requestKeyOf(job)];
		// The key of a file that can't be read is empty.
		const offered = keys.flatMap((key) => (key === '' ? [] : (offers.get(key) ?? [])));
		const choice = choose(
			offered.filter((entry) => !used.has(entry)),
			job,
			policy,
		);
		if (choice === undefined) continue;
		const { use, entry } = choice;
		used.add(entry);
		if (entry.result !== undefined) markUsed(entry.result.output_url);
		if (use === 'lost track') lostTrack.push(entry);
		else known.set(job, { outcome: outcomeOf(entry), from: use, entry });
	}
	const leftOver = entries
		.filter((entry) => entry.standing === 'left over' && !used.has(entry))
		.sort((a, b) => a.row.id - b.row.id);
	return { known, lostTrack, leftOver, found };
}

/** Where a job's image comes from, or why it is bought although there is one. */
interface Choice {
	use: Exclude<Known['from'], 'this execution'> | 'lost track';
	entry: Entry;
}

/**
 * Decides which purchase a job uses.
 * @param offered Those of its request that no other job has; the latest run first.
 */
function choose(offered: readonly Entry[], job: Job, policy: RecallPolicy): Choice | undefined {
	const bought = offered.filter(({ result }) => result !== undefined);
	const first = (all: readonly Entry[], standings: Entry['standing'][], use: Choice['use']) => {
		const entry = all.find(({ standing }) => standings.includes(standing));
		return entry && { use, entry };
	};
	const leftOver = bought.filter((entry) => isFresh(entry, job));
	const takenOver =
		first(bought, ['repeated'], 'stopped run') ??
		// n8n runs it again by itself, and nobody has read that it may have been charged.
		first(offered, ['repeated'], 'stopped run') ??
		first(leftOver, ['left over'], 'stopped run');
	if (takenOver !== undefined) return takenOver;
	if (policy.isStartedOver) {
		const retried = first(bought, ['lost track'], 'retried execution');
		if (retried !== undefined) return retried;
	}
	const [latest] = bought;
	if (policy.reuses) return latest && { use: 'earlier run', entry: latest };
	// An execution that a later one has followed is no news.
	return latest?.standing === 'lost track' ? { use: 'lost track', entry: latest } : undefined;
}

/**
 * Takes what {@link recall} found, unless another run was faster.
 * @returns what this run has to tell, because no other one does
 */
export async function takeOver(
	{ memory, purchases }: Memories,
	{ known, leftOver, found }: Pick<Recalled, 'known' | 'leftOver' | 'found'>,
): Promise<Entry[]> {
	await purchases.adopt(attempted(known));
	const wanted = [...known].flatMap(([job, { entry, from }]): Array<[Job, Entry]> => {
		if (entry === undefined) return [];
		return from !== 'earlier run' || entry.standing === 'left over' ? [[job, entry]] : [];
	});
	// If a table does not answer, this attempt remembers nothing, because the next one looks again.
	const lost = await purchases.take(wanted);
	for (const [job, { outcome, entry }] of known) {
		if (entry === undefined) continue;
		if (lost.has(entry)) known.delete(job);
		else memory.add(job, outcome);
	}
	// What can't be claimed now, a later run tells.
	const claimed = await settle(purchases.claimLeftOver(leftOver, found.deadProcesses));
	return 'value' in claimed ? claimed.value : [];
}

/** What earlier attempts of this execution bought. */
function attempted(known: Recalled['known']): Array<[Job, JobResult]> {
	return [...known].flatMap(([job, { outcome, from }]) =>
		from === 'this execution' && 'value' in outcome ? [[job, outcome.value]] : [],
	);
}

/** What became of a job that was sent before, and that n8n now runs again. */
function outcomeOf({ result }: Entry): Outcome<JobResult> {
	if (result !== undefined) return { value: result };
	return { failure: { kind: 'interrupted', message: 'an earlier run was cut off' } };
}

function isFresh({ row: { createdAt } }: Entry, { request }: Job): boolean {
	const age = Date.now() - new Date(createdAt).getTime();
	return request.textParts.image === undefined || age <= ADDRESS_AGE;
}
