import { settle } from '../failures/failures';
import type { Job } from '../types';
import { REMEMBERED_FOR, type Flight, type Journal } from './journal';
import { Questions, type Judge } from './judge';
import type { NodeRun } from './nodeRun';
import { isBought, mergeRows, type BoughtPurchase, type Purchase } from './purchase';
import type { PurchaseLog } from './purchaseLog';
import type { Found, Purchases } from './purchases';
import { fileOf, hasSameFile, isCutOut, isSameFile } from './requestKey';

/**
 * Which images that are there a run may have:
 * - `next run`: those that no run has delivered, or whose execution did not end well. This is the default.
 * - `agent`: the same, and that of an equal call which is under way: the agent or its client asked twice.
 * - `editor`: those that no run goes on with, because somebody builds the workflow.
 * - `always`: any.
 * - `never`: only those that nobody has seen.
 * All but `never` share a cut-out of the same photo.
 */
export type Policy = 'next run' | 'agent' | 'editor' | 'always' | 'never';

/** Milliseconds in which a request under way is worth waiting for. */
const WAITED_FOR = 2 * 60 * 1000;
/** Milliseconds after which another picture may be behind an address. */
const ADDRESS_AGE = 10 * 60 * 1000;

/** What a run needs to look for images that are there. */
export interface Recalling {
	process: {
		readonly journal: Journal;
		timeOfDay(): number;
		wait(ms: number, signal?: AbortSignal): Promise<void>;
	};
	policy: Policy;
	purchases: Purchases;
	purchaseLog: PurchaseLog | undefined;
	judge: Judge;
	/** The links that the node's earlier rounds in this execution have returned. */
	returnedLinks: ReadonlySet<unknown>;
	/** Aborted when the run is stopped. */
	signal: AbortSignal;
}

/** A purchase of a request, with those who have it. */
interface Candidate extends Found {
	/** Whether the log lists it, and not only this process. */
	isLogged: boolean;
}

/** What decides whether a run may have an image. */
type Ruling = 'yes' | 'no' | 'if none of them ended well';

/** Looks for images that are there already, before anything is bought. */
export class Recall {
	/** The log's rows, by request. */
	readonly #rows = new Map<string, Purchase[]>();

	/** When the newest image was bought whose link does not give it, by request. */
	readonly #deadUntil = new Map<string, number>();

	constructor(private readonly recalling: Recalling) {}

	/** Reads the log's rows for all jobs, once. @throws if the log does not answer */
	async read(jobs: readonly Job[]): Promise<void> {
		const { process, policy, purchaseLog, signal } = this.recalling;
		if (purchaseLog === undefined || jobs.length === 0) return;
		const since = policy === 'always' ? 0 : process.timeOfDay() - REMEMBERED_FOR;
		const requests = [...new Set(jobs.map(({ requestKey }) => requestKey))];
		for (const row of await purchaseLog.find(requests, since, signal)) {
			const same = this.#rows.get(row.request) ?? [];
			same.push(row);
			this.#rows.set(row.request, same);
		}
	}

	/** Finds an image that a job may have: of its own node's round first, then of its round, then the newest. */
	async find(job: Job): Promise<Found | undefined> {
		const { signal } = this.recalling;
		const questions = new Questions();
		for (const candidate of this.#candidates(job)) {
			if (!(await isSameFile(job.request, candidate.purchase.file))) continue;
			const isHad = await this.#mayHave(job, candidate, questions);
			if (isHad) return signal.aborted ? undefined : candidate;
		}
		return undefined;
	}

	/** A request under way that a job waits for instead of buying the same. */
	async flightFor(job: Job): Promise<Flight | undefined> {
		await this.learnFile(job);
		return this.#flightNow(job);
	}

	/** Reads the job's file if the bytes of equal requests are known, so that they can be compared. */
	async learnFile({ requestKey, request }: Job): Promise<void> {
		const { journal } = this.recalling.process;
		if (journal.ofRequest(requestKey).some(({ file }) => file !== '')) await fileOf(request);
	}

	/**
	 * Looks once more, in the tick in which a job would be bought.
	 * @returns an image that any run may share, or a request under way
	 */
	lookNow(job: Job): Found | Flight | undefined {
		return this.#sharedNow(job) ?? this.#flightNow(job);
	}

	#sharedNow(job: Job): Found | undefined {
		if (!this.#sharesAtOnce(job)) return undefined;
		return this.#candidates(job).find(
			(candidate) =>
				hasSameFile(job.request, candidate.purchase.file) && this.#ruling(job, candidate) === 'yes',
		);
	}

	/** Notes that the link of a purchase does not give its image. What is as old is not tried either, what is newer is. */
	markDead({ request, time }: Purchase): void {
		this.#deadUntil.set(request, Math.max(time, this.#deadUntil.get(request) ?? time));
	}

	/** Waits for a request under way, until it is two minutes old. */
	async waitFor({ sentAt, settled }: Flight): Promise<void> {
		const { process, signal } = this.recalling;
		const ended = new AbortController();
		const age = sentAt === undefined ? 0 : process.timeOfDay() - sentAt;
		const rest = process.wait(WAITED_FOR - age, AbortSignal.any([signal, ended.signal]));
		await Promise.race([settled, settle(rest)]);
		ended.abort();
	}

	/** The image of an equal call that an agent's call has waited for. */
	imageOfEqualCall({ purchase }: Flight): Found | undefined {
		if (this.recalling.policy !== 'agent' || !isBought(purchase)) return undefined;
		return { purchase, holders: [purchase.holder] };
	}

	/**
	 * Earlier requests of the node for the same whose outcome is not known, so that they may have been charged. A later
	 * purchase of the same ends that: otherwise a schedule would be told for days.
	 */
	unclearBefore({ requestKey }: Job): Purchase[] {
		const { process, purchases } = this.recalling;
		const { journal } = process;
		const all = [...journal.ofRequest(requestKey), ...(this.#rows.get(requestKey) ?? [])];
		const own = all.filter(({ node }) => node === purchases.run.node);
		const boughtAt = Math.max(...own.filter(isBought).map(({ time }) => time));
		return own.filter(
			(each) => !isBought(each) && each.time > boughtAt && !journal.isExpected(each),
		);
	}

	#candidates({ requestKey, request }: Job): Candidate[] {
		const { process, policy, purchases, returnedLinks } = this.recalling;
		const { run } = purchases;
		const found = new Map<string, Candidate>();
		for (const row of this.#rows.get(requestKey) ?? []) {
			if (isBought(row)) {
				found.set(row.entry, { purchase: row, holders: [row.holder], isLogged: true });
			}
		}
		for (const purchase of process.journal.ofRequest(requestKey)) {
			const row = found.get(purchase.entry);
			const result = purchase.result ?? row?.purchase.result;
			if (result === undefined) continue;
			found.set(purchase.entry, {
				purchase: { ...purchase, result, logged: mergeRows(purchase.logged, row?.purchase.logged) },
				holders: row === undefined ? [purchase.holder] : [purchase.holder, ...row.holders],
				isLogged: row !== undefined,
			});
		}
		const isOfEarlierRound = ({ node, holder, round, result }: BoughtPurchase) =>
			returnedLinks.has(result.output_url) ||
			(node === run.node && holder === run.execution && round !== run.round);
		const mayRepeat = policy === 'always' || isCutOut(request);
		const deadUntil = this.#deadUntil.get(requestKey) ?? -Infinity;
		return [...found.values()]
			.filter(({ purchase }) => purchase.time > deadUntil)
			.filter(({ purchase }) => mayRepeat || !isOfEarlierRound(purchase))
			.sort(
				({ purchase: a }, { purchase: b }) =>
					nearness(b, run) - nearness(a, run) || b.time - a.time,
			);
	}

	/** Asks n8n if that decides. */
	async #mayHave(job: Job, candidate: Candidate, questions: Questions): Promise<boolean> {
		const ruling = this.#ruling(job, candidate);
		if (ruling !== 'if none of them ended well') return ruling === 'yes';
		const { node } = candidate.purchase;
		for (const holder of candidate.holders.filter((each) => each !== '')) {
			const { judge } = this.recalling;
			if (!(await judge.didNotEndWell(node, holder, questions))) return false;
		}
		return true;
	}

	/** Whether a run may have an image. docs/development/payments.md has it as a table. */
	#ruling(job: Job, { purchase, holders, isLogged }: Candidate): Ruling {
		const { process, policy, purchases } = this.recalling;
		const others = holders.filter((holder) => holder !== '');
		const isRecent = process.timeOfDay() - purchase.time <= REMEMBERED_FOR;
		if (policy === 'always' && isLogged) return 'yes';
		if (!isRecent) return 'no';
		if (this.#sharesCutOut(job, purchase)) return 'yes';
		switch (policy) {
			case 'always':
				return this.#isOurs(purchase) ? 'yes' : 'no';
			case 'never':
				return others.length === 0 && this.#isOfOwnKind(purchase) ? 'yes' : 'no';
			case 'editor': {
				const isFree = (holder: string) =>
					holder === purchases.run.execution || !process.journal.isLive(purchase.node, holder);
				return this.#isOurs(purchase) && others.every(isFree) ? 'yes' : 'no';
			}
			case 'next run':
			case 'agent':
				if (!this.#isOfOwnKind(purchase)) return 'no';
				if (others.length === 0) return 'yes';
				// A fixed prompt on a schedule wants another picture each time.
				return job.isFixed ? 'no' : 'if none of them ended well';
		}
	}

	#flightNow(job: Job): Flight | undefined {
		const { process, purchases } = this.recalling;
		const now = process.timeOfDay();
		return process.journal
			.flightsOf(job.requestKey)
			.find(
				(flight) =>
					flight.run !== purchases.run &&
					now - (flight.sentAt ?? now) < WAITED_FOR &&
					hasSameFile(job.request, flight.purchase.file) &&
					this.#waitsFor(job, flight),
			);
	}

	/** Whether a job shares what any run has, also what is under way. */
	#sharesAtOnce({ request }: Job): boolean {
		const { policy } = this.recalling;
		return policy === 'always' || (policy !== 'never' && isCutOut(request));
	}

	#waitsFor(job: Job, { purchase, run }: Flight): boolean {
		if (this.#sharesCutOut(job, purchase)) return true;
		// Nobody has the image that a stopped run has asked for.
		const { isOver } = run;
		switch (this.recalling.policy) {
			case 'always':
				return this.#isOurs(purchase);
			case 'editor':
				return isOver && this.#isOurs(purchase);
			case 'never':
			case 'next run':
				return isOver && this.#isOfOwnKind(purchase);
			case 'agent':
				return (isOver || this.#isOurs(purchase)) && this.#isOfOwnKind(purchase);
		}
	}

	/** Whether a run bought it on the account of this one; who shares a log shares what it lists. */
	#isOurs({ accounts }: Purchase): boolean {
		const { buyer } = this.recalling.purchases;
		// A row names no account.
		return accounts.length === 0 || accounts.some((account) => buyer.accounts.includes(account));
	}

	/** Whether it is of the same node, in the editor as well or not either. */
	#isOfOwnKind({ node, isManual }: Purchase): boolean {
		const { run, buyer } = this.recalling.purchases;
		return node === run.node && isManual === buyer.isManual;
	}

	/**
	 * Whether a job shares a cut-out because its own could give nothing new: that of the same file, or of an address whose
	 * picture is hardly another one. With Never, somebody wants another one nevertheless.
	 */
	#sharesCutOut({ request }: Job, purchase: Purchase): boolean {
		const { process, policy } = this.recalling;
		if (policy === 'never' || !isCutOut(request) || !this.#isOurs(purchase)) return false;
		const age = process.timeOfDay() - purchase.time;
		return request.textParts.image === undefined || age <= ADDRESS_AGE;
	}
}

/** How near a purchase is to a run, so that every image keeps its place between clicks in the editor. */
function nearness({ node, round }: Purchase, run: Pick<NodeRun, 'node' | 'round'>): number {
	const isSameRound = round === run.round;
	return Number(isSameRound) + Number(isSameRound && node === run.node);
}
