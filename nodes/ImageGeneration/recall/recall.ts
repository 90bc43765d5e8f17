import type { Outcome } from '../failures/failures';
import type { RunOptions } from '../fields/options';
import type { Job, JobPlace, JobResult } from '../types';
import type { ExecutionMemory } from './executionMemory';
import { byKey, type Entry } from './purchases';
import type { Purchases } from './recordPurchases';

/** What is known of a job before anything is bought. */
export interface Known {
	outcome: Outcome<JobResult>;
	/** An earlier attempt of this execution, a run that was stopped or killed, or any earlier run. */
	from: 'attempt' | 'stopped run' | 'earlier run';
	/** The purchase of another execution that this run takes. */
	entry?: Entry;
}

/** What a run learns before it buys. */
export interface Recalled {
	known: Map<Job, Known>;
	/** Jobs that an earlier run bought as well, in a manual run that does not reuse images. */
	repeated: ReadonlySet<JobPlace>;
	/** What stopped runs bought, or may have, and this run did not ask for. */
	unclaimed: Entry[];
}

/** What decides which purchases of other executions a run uses. */
export interface RecallingRun {
	isManual: boolean;
	isTool: boolean;
	memory: ExecutionMemory;
	purchases: Purchases;
	reuse: RunOptions['reuse'];
	signal: AbortSignal;
}

/** In milliseconds: what is behind an address may change. */
const ADDRESS_AGE = 10 * 60 * 1000;

/**
 * Finds out for every job, in order, whether an earlier attempt, a stopped run or, with Reuse Images, any
 * earlier run bought it. Changes nothing: {@link takeOver} does.
 */
export async function recall(run: RecallingRun, jobs: readonly Job[]): Promise<Recalled> {
	const { memory, purchases, reuse, isManual } = run;
	const reuses = reuse === 'always' || (reuse === 'manualRuns' && isManual);
	const known = new Map<Job, Known>();
	for (const job of jobs) {
		const outcome = memory.outcomeOf(job);
		if (outcome !== undefined) known.set(job, { outcome, from: 'attempt' });
	}
	// An agent repeats a request because it wants another image. After Stop nothing is bought.
	const isAlone = run.isTool || run.signal.aborted;
	const entries = isAlone ? [] : await purchases.find(jobs, isManual || reuses);
	const repeated = new Set<Job>();
	const links = new Set(attempted(known).map(([, { output_url }]) => output_url));
	const used = new Set(entries.filter(({ result }) => links.has(result?.output_url ?? '')));
	const offers = byKey(entries);
	const offersFor = (keys: Iterable<string>) =>
		[...keys].flatMap((key) => offers.get(key) ?? []).filter((entry) => !used.has(entry));

	for (const job of jobs) {
		if (known.has(job)) continue;
		const own = offersFor(job.keys);
		const lost = own.find(({ result }) => result) ?? own[0];
		// Files are read only if something may be found.
		const keys = used.size === entries.length ? [] : await purchases.keysOf(job);
		const free = offersFor(keys).filter(({ result }) => result);
		const abandoned = lost ?? free.find((entry) => entry.isAbandoned && isFresh(entry, job));
		const entry = abandoned ?? free.find(({ isAbandoned }) => reuses || (isManual && !isAbandoned));
		if (entry === undefined) continue;
		used.add(entry);
		const from = abandoned === undefined ? 'earlier run' : 'stopped run';
		if (from === 'earlier run' && !reuses) repeated.add(job);
		else known.set(job, { outcome: outcomeOf(entry), from, entry });
	}
	const unclaimed = entries.filter(
		(entry) => entry.isAbandoned && entry.row.state !== 'reported' && !used.has(entry),
	);
	return { known, repeated, unclaimed };
}

/** Takes what {@link recall} found, unless another run was faster, and notes what this run will tell. */
export async function takeOver(
	{ memory, purchases }: Pick<RecallingRun, 'memory' | 'purchases'>,
	{ known, unclaimed }: Recalled,
): Promise<void> {
	await purchases.adopt(attempted(known));
	const found = [...known.values()].flatMap(({ entry }) => entry ?? []);
	// If a table does not answer, this attempt remembers nothing, because the next one looks again.
	const free = found.filter(({ isAbandoned, result }) => isAbandoned && result);
	const lost = await purchases.take(free.map(({ row }) => row));
	for (const [job, { outcome, entry }] of known) {
		if (entry === undefined) continue;
		if (lost.has(entry.row)) known.delete(job);
		else memory.add(job, outcome);
	}
	const unclear = found.filter(({ result }) => result === undefined);
	for (const entry of [...unclaimed, ...unclear]) purchases.tell(entry);
}

/** What earlier attempts of this execution bought. */
function attempted(known: Recalled['known']): Array<[Job, JobResult]> {
	return [...known].flatMap(([job, { outcome, from }]) =>
		from === 'attempt' && 'value' in outcome ? [[job, outcome.value]] : [],
	);
}

/** What became of a job that this execution sent from a process that is gone. */
function outcomeOf({ result }: Entry): Outcome<JobResult> {
	if (result !== undefined) return { value: result };
	return { failure: { kind: 'interrupted', message: 'n8n was ended in between' } };
}

function isFresh({ row: { createdAt } }: Entry, { request }: Job): boolean {
	const age = Date.now() - new Date(createdAt).getTime();
	return request.fields.image === undefined || age <= ADDRESS_AGE;
}
