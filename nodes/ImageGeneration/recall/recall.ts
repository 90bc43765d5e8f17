import type { AskN8n } from '../execution';
import { settle, type Failure, type Outcome } from '../failures/failures';
import { isCutOut, requestOf } from '../service/sameRequest';
import type { Job, JobResult } from '../types';
import type { Announcement } from './announcements';
import { choose, type Choice, type Chooser, type RecallPolicy } from './choice';
import type { ExecutionMemory, Origin } from './executionMemory';
import { isBought, processOf, type Purchase } from './purchase';
import type { Offer, Purchases } from './purchases';
import { Judge, type Words } from './whereabouts';

/** What a run remembers with. */
export interface Recalling {
	/** What this execution bought. */
	memory: ExecutionMemory;
	/** What the node bought in all executions. */
	purchases: Purchases;
	/** The entries that the execution's runs have used. */
	used: Set<string>;
	words: Words;
	ask: AskN8n;
	policy: RecallPolicy;
	isTool: boolean;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
	/** Whether it buys nothing, so that it waits for nothing. */
	dryRun: boolean;
	/** Called once if it waits for what other runs asked for. */
	onWait: (jobs: readonly Job[]) => void;
}

/** What is known of a job before anything is bought. */
export interface Known {
	outcome: Outcome<JobResult>;
	from: Origin;
	/** The purchase of another run that this one uses. */
	purchase?: Purchase;
}

/** What a run learns before it buys. */
export interface Recalled {
	known: Map<Job, Known>;
	/** What it has to take before it has it. */
	toTake: Map<Job, Offer>;
	/** The requests under way whose answers nobody has yet. */
	awaited: Map<Job, Purchase>;
}

/** How long a request is waited for, in milliseconds: from its start, and by the own clock. */
const AWAITED_FOR = 2 * 60 * 1000;
/** Milliseconds between two looks at the log while waiting. */
const LOOK = 3000;

/**
 * Finds out for every job, in order, whether it is settled already, and from where. Waits for requests of stopped runs
 * whose answers are awaited and, with Reuse Images, for what other runs have announced. Takes nothing: {@link takeFound}
 * does.
 */
export async function recall(run: Recalling, jobs: readonly Job[]): Promise<Recalled> {
	const { memory, purchases, signal, isTool } = run;
	const recalled: Recalled = { known: new Map(), toTake: new Map(), awaited: new Map() };
	for (const job of jobs) {
		const own = memory.recall(job);
		if (own !== undefined) recalled.known.set(job, own);
	}
	// An agent repeats a request because it wants another image. After Stop nothing is bought.
	if (isTool || signal.aborted) return recalled;
	const open = jobs.filter((job) => !recalled.known.has(job));
	const announced = run.dryRun ? [] : purchases.announce(open);
	// A log that does not answer stops no run that needs to buy nothing.
	if (open.length > 0) await find(run, open, recalled, announced);
	return recalled;
}

/** Looks for what other runs have of the open jobs, until there is nothing to wait for. */
async function find(
	run: Recalling,
	open: readonly Job[],
	recalled: Recalled,
	announced: readonly Announcement[],
): Promise<void> {
	const { signal, purchases } = run;
	const { process } = purchases.recording;
	const waits = new Waits(run, announced, open);
	const until = process.now() + AWAITED_FOR;
	while (true) {
		const announcedBefore = waits.announced;
		await lookOnce(run, open, recalled);
		const missing = open.filter((job) => !recalled.known.has(job));
		for (const [job, purchase] of recalled.awaited) {
			const isOver = process.now() >= until;
			if (isOver || !missing.includes(job)) recalled.awaited.delete(job);
			else waits.note(job, purchase);
		}
		// What was settled while it looked, it may not have seen.
		const waitsFor = (job: Job) => announcedBefore.has(job) || recalled.awaited.has(job);
		if (run.dryRun || signal.aborted || !missing.some(waitsFor)) return;
		await waits.next(missing);
	}
}

/** Decides for each open job what it uses, as things are now. */
async function lookOnce(
	run: Recalling,
	open: readonly Job[],
	{ known, toTake, awaited }: Recalled,
): Promise<void> {
	const { purchases, policy, words, ask, used } = run;
	const { process, common } = purchases.recording;
	const missing = open.filter((job) => !known.has(job));
	const offers = await purchases.find(missing, policy.reuse !== 'never');
	awaited.clear();
	if (offers.size === 0) return;
	await checkCallers([...offers.values()].flat(), purchases);
	const judge = new Judge({ ...judging(purchases), words }, ask);
	const inRun = new Set(run.memory.entries);
	for (const { purchase } of known.values()) if (purchase !== undefined) inRun.add(purchase.entry);
	const chooser: Chooser = {
		policy,
		node: common.node,
		execution: common.execution,
		now: process.timeOfDay(),
		isLive: ({ run: other }) => process.journal.isLive(other),
		isUsed: ({ entry }, by) => inRun.has(entry) || (by === 'execution' && used.has(entry)),
		judge,
	};
	for (const job of missing) {
		const same = await sameAs(job, offers, purchases);
		const purchasesOf = same.map(({ purchase }) => purchase);
		const chosen = await choose(chooser, job, purchasesOf);
		const offer = same.find(({ purchase }) => purchase === chosen?.purchase);
		if (chosen === undefined || offer === undefined) {
			if (isCutOut(job) && purchasesOf.some((each) => isUnclear(each, chooser))) {
				known.set(job, { outcome: { failure: UNCLEAR }, from: 'earlier round' });
				continue;
			}
			const pending = await awaitedOf(chooser, purchasesOf, purchases);
			if (pending !== undefined) awaited.set(job, pending);
			continue;
		}
		inRun.add(chosen.purchase.entry);
		const outcome = { value: chosen.purchase.result };
		known.set(job, { outcome, from: originOf(chosen, chooser), purchase: chosen.purchase });
		if (chosen.use === 'take') toTake.set(job, offer);
		else purchases.settleAnnounced(job, chosen.purchase);
	}
}

/** Stops the runs of sub-workflows that have what is wanted, if their callers are over. */
async function checkCallers(
	offers: readonly Offer[],
	{ recording: { process } }: Purchases,
): Promise<void> {
	const called = offers.flatMap(({ purchase }) => (purchase.parent === '' ? [] : purchase.run));
	for (const run of new Set(called)) await process.journal.checkCallers(run);
}

/** Where an image comes from that a job uses. */
function originOf({ purchase, use }: Choice, { execution }: Chooser): Origin {
	if (use === 'take') return 'taken';
	const isOwn = execution !== '' && purchase.execution === execution;
	return isOwn ? 'earlier round' : 'earlier run';
}

/** What an equal cut-out comes to whose request may have been charged in an earlier round: it is not sent again. */
const UNCLEAR: Failure = {
	kind: 'interrupted',
	message: 'an equal request of an earlier round got no answer',
};

/** Whether it is an unclear request of an earlier run of the same execution. */
function isUnclear(purchase: Purchase, { execution, isLive }: Chooser): boolean {
	const isOwn = execution !== '' && purchase.execution === execution;
	return isOwn && purchase.state === 'sent' && !isLive(purchase);
}

function judging({ recording: { process } }: Purchases) {
	return {
		name: process.name,
		journal: process.journal,
		timeOfDay: () => process.timeOfDay(),
	};
}

/** The offers of the very same request, whole files compared. */
async function sameAs(
	job: Job,
	offers: ReadonlyMap<string, Offer[]>,
	purchases: Purchases,
): Promise<Offer[]> {
	const same: Offer[] = [];
	for (const offer of offers.get(requestOf(job)) ?? []) {
		if (await purchases.isSame(job, offer)) same.push(offer);
	}
	return same;
}

/** A request under way that the job may get: of a stopped run, if its answer is awaited. */
async function awaitedOf(
	{ now, node, policy, execution, isLive, judge }: Chooser,
	same: readonly Purchase[],
	{ recording: { process } }: Purchases,
): Promise<Purchase | undefined> {
	for (const purchase of same) {
		const isOfOthers = purchase.node !== node && policy.reuse === 'never';
		const isOwn = execution !== '' && purchase.execution === execution;
		if (isBought(purchase) || isOfOthers || isOwn || isLive(purchase)) continue;
		if (now - purchase.time > AWAITED_FOR) continue;
		if (processOf(purchase.run) === process.name) {
			if (process.awaited.has(purchase.entry)) return purchase;
			continue;
		}
		if (!purchase.told && (await judge.wordOn(purchase)) !== 'goes on') return purchase;
	}
	return undefined;
}

/** What a run waits for before it buys. It holds no turn and no place meanwhile. */
class Waits {
	/** The answers and announcements that jobs wait for. */
	readonly #awaited = new Map<Job, Purchase>();

	readonly #announced = new Map<Job, Announcement>();

	#isSaid = false;

	constructor(
		private readonly run: Recalling,
		announced: readonly Announcement[],
		open: readonly Job[],
	) {
		if (run.policy.reuse !== 'always') return;
		const free = [...announced];
		const { accounts } = run.purchases.recording.common;
		for (const job of open) {
			const request = requestOf(job);
			const index = free.findIndex(
				(each) =>
					each.request === request && each.accounts.some((account) => accounts.includes(account)),
			);
			const [found] = index < 0 ? [] : free.splice(index, 1);
			if (found === undefined) continue;
			this.#announced.set(job, found);
			void found.settled.then(() => this.#announced.delete(job));
		}
	}

	note(job: Job, purchase: Purchase): void {
		this.#awaited.set(job, purchase);
	}

	/** The jobs that others have announced, and nobody knows yet what comes of it. */
	get announced(): ReadonlySet<Job> {
		return new Set(this.#announced.keys());
	}

	/** Waits until all of it has come, or until it is time for another look. */
	async next(missing: readonly Job[]): Promise<void> {
		const { purchases, signal, onWait } = this.run;
		const { process } = purchases.recording;
		if (!this.#isSaid) onWait(missing);
		this.#isSaid = true;
		const own = [...this.#awaited.values()].flatMap(
			({ entry }) => process.awaited.get(entry) ?? [],
		);
		const announced = missing.flatMap((job) => this.#announced.get(job)?.settled ?? []);
		const isForeign = ({ run }: Purchase) => processOf(run) !== process.name;
		const onlyLogTells = [...this.#awaited.values()].some(isForeign);
		this.#awaited.clear();
		const ended = new AbortController();
		const isStopped = settle(process.wait(LOOK, AbortSignal.any([signal, ended.signal])));
		const settled = Promise.all([...own, ...announced]);
		await Promise.race(onlyLogTells ? [isStopped] : [settled, isStopped]);
		ended.abort();
	}
}

/**
 * Takes what {@link recall} found.
 * @returns false if another run was faster with something: then recall has to look again
 * @throws if the log does not answer
 */
export async function takeFound(run: Recalling, recalled: Recalled): Promise<boolean> {
	const { memory, purchases } = run;
	await settle(adopt(run, recalled));
	const lost = await purchases.take(recalled.toTake);
	for (const job of lost) recalled.known.delete(job);
	for (const [job, { outcome, from, purchase }] of recalled.known) {
		if (purchase === undefined) continue;
		run.used.add(purchase.entry);
		memory.add(job, outcome, purchase, from);
		purchases.settleAnnounced(job, purchase);
	}
	recalled.toTake.clear();
	return lost.size === 0;
}

/** Makes what Retry begins with this run's own, unless another run has it. It has the images in any case. */
async function adopt(
	{ memory, purchases, words, ask }: Recalling,
	{ known }: Recalled,
): Promise<void> {
	const judge = new Judge({ ...judging(purchases), words }, ask);
	const retried = [...known].filter(([, { from }]) => from === 'Retry');
	if (retried.length === 0) return;
	const entries = new Map(retried.map(([job]) => [memory.recall(job)?.entry ?? '', job]));
	const toTake = new Map<Job, Offer>();
	for (const offer of await purchases.findEntries([...entries.keys()])) {
		const { purchase } = offer;
		const job = entries.get(purchase.entry);
		if (job === undefined) continue;
		// What another run has taken meanwhile stays there.
		const isLeft =
			purchase.state === 'left' || (await judge.wordOn(purchase)) === 'did not end well';
		if (isLeft) toTake.set(job, offer);
	}
	await purchases.take(toTake);
}
