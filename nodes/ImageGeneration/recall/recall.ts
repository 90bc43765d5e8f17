import type { Failure } from '../failures/failures';
import { isCutOut, isSameFile, requestOf } from '../service/sameRequest';
import type { Job } from '../types';
import type { Announcement } from './announcements';
import { choose, type Chooser } from './choice';
import { AWAITED_FOR } from './journal';
import { Judge } from './judge';
import { offersToTake, type Recalled } from './known';
import type { Offer } from './offers';
import { isBought, isOfExecution, processOf, type Purchase } from './purchase';
import type { Purchases } from './purchases';
import type { Recalling } from './recalling';
import { Waits } from './waits';

/**
 * Finds out for every job, in order, whether it is settled already, and from where. Waits for requests of stopped runs
 * whose answers are awaited and, with `always`, for what other runs have announced. Takes nothing: that is for
 * `takeFound`.
 * @param until When it stops waiting, by the process's clock.
 */
export async function recall(
	attempt: Recalling,
	jobs: readonly Job[],
	until: number,
): Promise<Recalled> {
	const { memory, purchases, signal, isTool } = attempt;
	const recalled: Recalled = { known: new Map(), awaited: new Map() };
	for (const job of jobs) {
		const own = memory.get(job);
		if (own !== undefined) recalled.known.set(job, own);
	}
	// An agent repeats a request because it wants another image. After Stop nothing is bought.
	if (isTool || signal.aborted) return recalled;
	const open = jobs.filter((job) => !recalled.known.has(job));
	const announced = attempt.dryRun ? [] : purchases.announce(open);
	// A log that does not answer stops no run that needs to buy nothing.
	if (open.length > 0) await find(attempt, open, recalled, announced, until);
	return recalled;
}

/** Looks for what other runs have of the open jobs, until there is nothing to wait for. */
async function find(
	attempt: Recalling,
	open: readonly Job[],
	recalled: Recalled,
	announced: readonly Announcement[],
	until: number,
): Promise<void> {
	const { signal, purchases } = attempt;
	const { process } = purchases.recording;
	const waits = new Waits(attempt, announced, open);
	while (true) {
		// What an earlier look found may have changed since.
		for (const job of offersToTake(recalled).keys()) recalled.known.delete(job);
		const announcedBefore = waits.announced;
		await lookOnce(attempt, open, recalled);
		const missing = open.filter((job) => !recalled.known.has(job));
		for (const [job, purchase] of recalled.awaited) {
			const isOver = process.now() >= until;
			if (isOver || !missing.includes(job)) recalled.awaited.delete(job);
			else waits.note(job, purchase);
		}
		// An announcement that was settled during the look may have been missed by it.
		const waitsFor = (job: Job) => announcedBefore.has(job) || recalled.awaited.has(job);
		if (attempt.dryRun || signal.aborted || !missing.some(waitsFor)) return;
		await waits.next(missing);
	}
}

/** Decides for each open job what it uses, as things are now. */
async function lookOnce(
	attempt: Recalling,
	open: readonly Job[],
	{ known, awaited }: Recalled,
): Promise<void> {
	const { purchases, policy, ask, used } = attempt;
	const { process, common } = purchases.recording;
	const missing = open.filter((job) => !known.has(job));
	const offers = await purchases.offers.find(missing, policy.reuse !== 'never');
	awaited.clear();
	if (offers.size === 0) return;
	await checkCallers([...offers.values()].flat(), purchases);
	const judge = new Judge(process, ask);
	const inRun = new Set(attempt.memory.entries);
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
		const same = await sameAs(job, offers);
		const found = await choose(chooser, job, same);
		if (found !== undefined) {
			known.set(job, found);
			inRun.add(found.purchase.entry);
			if (found.toTake === undefined) purchases.settleAnnounced(job, found.purchase);
			continue;
		}
		const purchasesOf = same.map(({ purchase }) => purchase);
		if (isCutOut(job) && purchasesOf.some((each) => isUnclear(each, chooser))) {
			known.set(job, { outcome: { failure: UNCLEAR }, from: 'earlier round' });
			continue;
		}
		const pending = await awaitedOf(chooser, purchasesOf, purchases);
		if (pending !== undefined) awaited.set(job, pending);
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

/** The outcome of a cut-out whose equal request may have been charged in an earlier round: it is not sent again. */
const UNCLEAR: Failure = {
	kind: 'interrupted',
	message: 'an equal request of an earlier round got no answer',
};

/** Whether it is an unclear request of an earlier run of the same execution. */
function isUnclear(purchase: Purchase, { execution, isLive }: Chooser): boolean {
	return isOfExecution(purchase, execution) && purchase.state === 'sent' && !isLive(purchase);
}

/** The offers of the very same request, whole files compared. */
async function sameAs(job: Job, offers: ReadonlyMap<string, Offer[]>): Promise<Offer[]> {
	const same: Offer[] = [];
	for (const offer of offers.get(requestOf(job)) ?? []) {
		if (await isSameFile(job, offer.purchase.file)) same.push(offer);
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
		const isOwn = isOfExecution(purchase, execution);
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
