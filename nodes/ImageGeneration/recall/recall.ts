import type { Outcome } from '../failures/failures';
import type { Job, JobResult } from '../types';
import { byKey } from './byKey';
import type { ExecutionMemory, Origin } from './executionMemory';
import { boughtAt, isUsable, type OtherPurchase } from './others/otherPurchase';
import type { Purchases } from './purchases';

/** What decides which purchases of other runs a run uses. */
export interface RecallPolicy {
	/** Whether it uses images of any earlier run: Reuse Images. */
	reuses: boolean;
	/** Whether what is behind an address may have changed since an earlier run bought its image. */
	distrustsAddresses: boolean;
	isRetry: boolean;
	/** Where the service's links lead. */
	linkOrigin: string;
	/** Whether they may lead elsewhere as well. */
	allowsOtherHosts: boolean;
}

/** What a run remembers with. */
export interface Recalling {
	/** What this execution bought. */
	memory: ExecutionMemory;
	/** What the node bought in all executions. */
	purchases: Purchases;
	policy: RecallPolicy;
	isTool: boolean;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
}

/** What is known of a job before anything is bought. */
export interface Known {
	outcome: Outcome<JobResult>;
	from: Origin;
	/** The purchase of another run that this attempt uses. */
	purchase?: OtherPurchase;
}

/** What a run learns before it buys. */
export interface Recalled {
	known: Map<Job, Known>;
	/** Purchases of jobs that have an image, but no usable link. */
	withoutLink: OtherPurchase[];
}

/** In milliseconds: what is behind an address may change. */
const ADDRESS_AGE = 10 * 60 * 1000;

/**
 * Finds out for every job, in order, whether it is settled already, and from where. Takes nothing over:
 * {@link takeOver} does.
 * @param before What is known of the jobs already.
 */
export async function recall(
	{ memory, purchases, policy, isTool, signal }: Recalling,
	jobs: readonly Job[],
	before: Recalled = { known: new Map(), withoutLink: [] },
): Promise<Recalled> {
	const known = new Map(before.known);
	const withoutLink = [...before.withoutLink];
	for (const job of jobs) {
		const own = known.has(job) ? undefined : memory.recall(job);
		if (own !== undefined) known.set(job, own);
	}
	// An agent repeats a request because it wants another image. After Stop nothing is bought.
	if (isTool || signal.aborted) return { known, withoutLink };
	const open = jobs.filter((job) => !known.has(job));
	// A table that does not answer stops no run that needs to buy nothing.
	if (open.length === 0) return { known, withoutLink };
	const found = await purchases.find(open);
	const offers = byKey(found.map((purchase) => ({ keys: [purchase.row.request], purchase })));
	const used = new UsedPurchases(memory, known, withoutLink);

	for (const job of open) {
		// Files are read only if something may be found.
		const key = offers.size === 0 ? '' : await purchases.requestKeyOf(job);
		const same = (offers.get(key) ?? []).flatMap(({ purchase }) =>
			used.has(purchase) ? [] : purchase,
		);
		const chosen = await choose(same, job, policy, purchases);
		const unusable = same.find(
			(purchase) => isAvailable(purchase, policy) && !canUse(purchase, policy),
		);
		if (chosen !== undefined) {
			used.add(chosen.purchase);
			known.set(job, chosen);
		} else if (unusable !== undefined) {
			used.add(unusable);
			withoutLink.push(unusable);
		}
	}
	return { known, withoutLink };
}

/** The purchases that jobs of this execution use. Two rows may have one image: Retry adds its own if the first is not written yet. */
class UsedPurchases {
	readonly #rows = new Set<number>();

	readonly #links = new Set<string>();

	constructor(
		private readonly memory: ExecutionMemory,
		known: Recalled['known'],
		others: readonly OtherPurchase[],
	) {
		for (const { outcome, purchase } of known.values()) {
			if ('value' in outcome) this.#links.add(outcome.value.output_url);
			if (purchase !== undefined) this.add(purchase);
		}
		others.forEach((purchase) => this.add(purchase));
	}

	add({ row, result }: OtherPurchase): void {
		this.#rows.add(row.id);
		if (result !== undefined) this.#links.add(result.output_url);
	}

	has({ row, result }: OtherPurchase): boolean {
		if (result === undefined) return this.#rows.has(row.id);
		const isOwn = this.#rows.has(row.id) || this.#links.has(result.output_url);
		return isOwn || this.memory.hasUsed(result);
	}
}

/**
 * Decides which purchase a job uses.
 * @param same Those of its request that no other job has, the latest first.
 */
async function choose(
	same: readonly OtherPurchase[],
	job: Job,
	policy: RecallPolicy,
	purchases: Purchases,
): Promise<Required<Known> | undefined> {
	// n8n runs it again by itself, and nobody has read that it may have been charged.
	const repeated = same.find(({ standing }) => standing === 'repeated');
	if (repeated !== undefined) return use(repeated, 'stopped run');

	const images = same.filter((purchase) => canUse(purchase, policy));
	const candidates = policy.isRetry ? images : images.filter((purchase) => isFresh(purchase, job));
	const free = candidates.find(({ standing }) => standing === 'free');
	if (free !== undefined) return use(free, 'stopped run');

	const trusted = policy.distrustsAddresses ? images.filter((each) => isFresh(each, job)) : images;
	const latest = trusted.find((purchase) => isAvailable(purchase, policy));
	if (policy.reuses && latest !== undefined) {
		return use(latest, latest.standing === 'free' ? 'stopped run' : 'earlier run');
	}

	// The job would be bought, so n8n is asked what it has stored.
	for (const purchase of candidates.filter(({ standing }) => standing === 'ended')) {
		if (await purchases.isLeft(purchase)) return use(purchase, 'stopped run');
	}
	return undefined;
}

/** What is known of a job that uses a purchase of another run. */
function use(purchase: OtherPurchase, from: Origin): Required<Known> {
	const { result } = purchase;
	const outcome: Outcome<JobResult> =
		result === undefined
			? { failure: { kind: 'interrupted', message: 'an earlier run was cut off' } }
			: { value: result };
	return { outcome, from, purchase };
}

/**
 * Takes what {@link recall} found. If another run was faster, it looks for something else.
 * @returns what this run has now
 * @throws if the table does not answer
 */
export async function takeOver(
	run: Recalling,
	jobs: readonly Job[],
	recalled: Recalled,
): Promise<Recalled> {
	const { memory, purchases, policy } = run;
	const earlier = policy.isRetry ? memory.earlierLinks : [];
	if (await purchases.adopt(retried(recalled.known), earlier)) memory.forgetEarlierLinks();
	let now: Recalled = { ...recalled, known: new Map(recalled.known) };
	let isComplete = await claimFound(run, now.known, now.known);
	while (!isComplete) {
		const next = await recall(run, jobs, now);
		const added = new Map([...next.known].filter(([job]) => !now.known.has(job)));
		now = next;
		isComplete = await claimFound(run, now.known, added);
	}
	return now;
}

/**
 * Takes purchases of other runs, and removes from what is known those that another run took first.
 * @returns whether there were none
 */
async function claimFound(
	{ memory, purchases }: Recalling,
	known: Recalled['known'],
	found: Recalled['known'],
): Promise<boolean> {
	const wanted = [...found.values()].flatMap(({ purchase, from }) =>
		purchase !== undefined && from === 'stopped run' ? purchase : [],
	);
	// If a table does not answer, this attempt remembers nothing, because the next one looks again.
	const lost = await purchases.claim(wanted);
	for (const [job, { outcome, from, purchase }] of [...found]) {
		if (purchase === undefined) continue;
		if (lost.has(purchase)) known.delete(job);
		else memory.add(job, outcome, from);
	}
	return lost.size === 0;
}

/** What the execution that this one retries had. */
function retried(known: Recalled['known']): Array<[Job, JobResult]> {
	return [...known].flatMap(([job, { outcome, from }]) =>
		from === 'Retry' && 'value' in outcome ? [[job, outcome.value]] : [],
	);
}

/** Whether an image is there for this run, as far as nobody has to be asked. */
function isAvailable({ result, standing }: OtherPurchase, { reuses }: RecallPolicy): boolean {
	if (result === undefined) return false;
	return standing === 'free' || (reuses && standing === 'ended');
}

function canUse(purchase: OtherPurchase, policy: RecallPolicy): boolean {
	return isUsable(purchase, policy.linkOrigin, policy.allowsOtherHosts);
}

function isFresh(purchase: OtherPurchase, { request }: Job): boolean {
	const age = Date.now() - boughtAt(purchase).getTime();
	return request.textParts.image === undefined || age <= ADDRESS_AGE;
}
