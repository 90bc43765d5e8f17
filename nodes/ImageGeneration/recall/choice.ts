import { isCutOut } from '../service/sameRequest';
import type { Job } from '../types';
import { REMEMBERED_FOR } from './journal';
import type { Judge } from './judge';
import type { Found } from './known';
import type { Offer } from './offers';
import { isBought, isOfExecution, type BoughtPurchase, type Purchase } from './purchase';

/** Rules for the images of other runs. */
export interface RecallPolicy {
	/**
	 * Which images that are there anyway it uses:
	 * - `editor`: those that no run of its execution has used and no run goes on with, because somebody builds the workflow;
	 *   of images made from an address only fresh ones.
	 * - `always`: any.
	 * - `never`: only those with which no execution has ended well, and these it takes. This is the default.
	 */
	reuse: 'editor' | 'always' | 'never';
	/** The links that Retry begins with, of rounds that the execution which it retries has done. */
	returned: ReadonlySet<unknown>;
	/** Where the service's links lead. */
	linkOrigin: string;
	allowsOtherHosts: boolean;
}

/** The run that chooses. */
export interface Chooser {
	policy: RecallPolicy;
	node: string;
	execution: string;
	/** Milliseconds since 1970. */
	now: number;
	isLive: (purchase: Purchase) => boolean;
	/** Whether a job of the run has it, or one of its execution. */
	isUsed: (purchase: Purchase, by: 'run' | 'execution') => boolean;
	judge: Judge;
}

/**
 * A run's use of an image:
 * - `take`: make it its own, so that nobody else takes it.
 * - `have`: use it as well, and change nothing.
 * - `ask`: take it if n8n says that its execution did not end well.
 */
type Use = 'take' | 'have' | 'ask' | 'no';

/** Milliseconds after which another picture may be behind an address. */
const ADDRESS_AGE = 10 * 60 * 1000;
const MOST_TAKEN = 3;
/** Executions that n8n is asked about for each request. */
const MOST_QUESTIONS = 20;

/**
 * Chooses the image that a job uses.
 * @param same What is there of the same request, the latest first.
 */
export async function choose(
	chooser: Chooser,
	job: Job,
	same: readonly Offer[],
): Promise<Found | undefined> {
	const open: Array<Offer<BoughtPurchase>> = [];
	for (const offer of same.filter(isOfBought)) {
		switch (useOf(chooser, job, offer.purchase)) {
			case 'take':
				return taken(offer);
			case 'have':
				return had(offer, chooser);
			case 'ask':
				open.push(offer);
				break;
			case 'no':
		}
	}
	const { judge } = chooser;
	const allowed = judge.questions + MOST_QUESTIONS;
	// Images that were not even delivered come first.
	for (const state of ['bought', 'delivered']) {
		for (const offer of open.filter(({ purchase }) => purchase.state === state)) {
			if (judge.known(offer.purchase) === undefined && judge.questions >= allowed) continue;
			const word = await judge.wordOn(offer.purchase);
			const hasNobody = state === 'bought' && word === 'nobody knows';
			if (word === 'did not end well' || hasNobody) return taken(offer);
		}
	}
	return undefined;
}

function isOfBought(offer: Offer): offer is Offer<BoughtPurchase> {
	return isBought(offer.purchase);
}

function taken(offer: Offer<BoughtPurchase>): Found {
	const { purchase } = offer;
	return { outcome: { value: purchase.result }, from: 'taken', purchase, toTake: offer };
}

function had({ purchase }: Offer<BoughtPurchase>, { execution }: Chooser): Found {
	const from = isOfExecution(purchase, execution) ? 'earlier round' : 'earlier run';
	return { outcome: { value: purchase.result }, from, purchase };
}

/** docs/development/payments.md has this as a table. */
function useOf(chooser: Chooser, job: Job, purchase: BoughtPurchase): Use {
	const { policy, execution } = chooser;
	if (!isUsable(purchase, chooser)) return 'no';
	if (isOfExecution(purchase, execution)) return useOfOwn(chooser, job, purchase);
	switch (policy.reuse) {
		case 'always':
			return chooser.isUsed(purchase, 'run') ? 'no' : 'have';
		case 'editor': {
			const isInUse = chooser.isUsed(purchase, 'execution') || chooser.isLive(purchase);
			return isInUse || !isFresh(chooser, job, purchase) ? 'no' : 'have';
		}
		case 'never':
			return useOfUnfinished(chooser, job, purchase);
	}
}

/**
 * An image of the same execution: each round of a loop gets its own, except with `always`, but a cut-out would be the
 * same again.
 */
function useOfOwn(chooser: Chooser, job: Job, purchase: BoughtPurchase): Use {
	const isRecent = isFresh(chooser, job, purchase);
	const isSameAgain = isCutOut(job) && isRecent;
	if (!isSameAgain && chooser.isUsed(purchase, 'run')) return 'no';
	// What an earlier round left is there for other executions as well.
	if (purchase.state === 'left' && isRecent) return 'take';
	return isSameAgain || chooser.policy.reuse === 'always' ? 'have' : 'no';
}

/** Until an execution has ended well with it, an image is there for the next run of its node, once. */
function useOfUnfinished(chooser: Chooser, job: Job, purchase: BoughtPurchase): Use {
	const { node, now, policy } = chooser;
	if (purchase.node !== node || chooser.isUsed(purchase, 'run')) return 'no';
	if (policy.returned.has(purchase.result.output_url)) return 'no';
	if (chooser.isLive(purchase) || !isFresh(chooser, job, purchase)) return 'no';
	if (now - purchase.time > REMEMBERED_FOR || purchase.taken >= MOST_TAKEN) return 'no';
	return purchase.state === 'left' ? 'take' : 'ask';
}

/**
 * Whether the node can deliver an image: its link leads to the service, or the service gave it to this node. Of a row
 * whose result people have edited, only the link may be left.
 */
function isUsable({ result, node }: BoughtPurchase, chooser: Chooser): boolean {
	const { linkOrigin, allowsOtherHosts } = chooser.policy;
	const isGiven = node === chooser.node && result.id !== undefined;
	return isGiven || allowsOtherHosts || new URL(result.output_url).origin === linkOrigin;
}

function isFresh({ now }: Chooser, { request }: Job, { time }: Purchase): boolean {
	return request.textParts.image === undefined || now - time <= ADDRESS_AGE;
}
