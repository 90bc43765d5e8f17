import { Failed, notStarted, settle, unwrap, type LimitReached } from '../failures/failures';
import { AWAITED_FOR } from '../recall/journal';
import { processOf, type Purchase } from '../recall/purchase';
import type { Purchases } from '../recall/purchases';
import type { Recording } from '../recall/recording';
import type { Job } from '../types';

const DAY = 24 * 60 * 60 * 1000;
/** Clocks of several machines differ; milliseconds. */
const CLOCK_DIFFERENCE = 60 * 1000;
const SHORTEST_PAUSE = 500;

/** A purchase. Of one that the journal has forgotten only its time is known. */
type Counted = Pick<Purchase, 'entry' | 'time'> & Partial<Purchase>;

/**
 * Caps the images that the node buys, or may have bought, in any 24 hours: in this n8n process or, with a Purchase Log,
 * in all of them. A request is recorded first and then counted, so that runs that meet never exceed the limit.
 */
export class DayLimit {
	/** When {@link refusal} stops waiting, by the process's clock. */
	#refusesAt: number | undefined;

	/** @param max 1 or more; Infinity means no limit. */
	constructor(
		private readonly recording: Recording,
		private readonly max: number,
		private readonly isTool: boolean,
	) {}

	get isSet(): boolean {
		return this.max < Infinity;
	}

	/**
	 * Why a run can't make this many paid requests; undefined if they stay within the limit. If requests under way of other
	 * runs take the places, it waits for them, two minutes at most in all calls together.
	 * @param signal Ends the wait; then the answer is undefined. Without it, nothing is waited for.
	 */
	async refusal(needed: number, signal?: AbortSignal): Promise<LimitReached | undefined> {
		if (!this.isSet || needed <= 0) return undefined;
		this.#refusesAt ??= this.recording.process.now() + AWAITED_FOR;
		const count = async () => ({ others: await this.#counted() });
		const counted = await this.#repeatWhileFull(needed, count, this.#refusesAt, signal);
		if (counted === undefined || counted.others.length + needed <= this.max) return undefined;
		return this.#limitReached(counted.others, needed, true);
	}

	/**
	 * Records a job's request, as soon as there is a place for it.
	 * @throws Failed if there is none, if the signal is aborted, or if the log does not take it
	 */
	async record(purchases: Purchases, job: Job, signal: AbortSignal): Promise<Purchase> {
		if (!this.isSet) return await purchases.send(job);
		const until = this.recording.process.now() + AWAITED_FOR;
		const step = async () => await this.#recordIfPlace(purchases, job);
		const recorded = await this.#repeatWhileFull(1, step, until, signal);
		if (recorded === undefined) throw new Failed(notStarted.failure);
		const { purchase, others } = recorded;
		if (others.length >= this.max) throw new Failed(this.#limitReached(others, 1, false));
		return purchase;
	}

	/** Records a job's request, counts the others, and withdraws it if they leave no place: it has not gone out. */
	async #recordIfPlace(
		purchases: Purchases,
		job: Job,
	): Promise<{ purchase: Purchase; others: Counted[] }> {
		const purchase = await purchases.send(job);
		const counted = await settle(this.#counted());
		if ('failure' in counted) purchases.withdraw(job);
		const others = unwrap(counted).filter(({ entry }) => entry !== purchase.entry);
		if (others.length >= this.max) purchases.withdraw(job);
		return { purchase, others };
	}

	/**
	 * Takes a step, and takes it again as long as the others leave too few places only because of requests under way.
	 * @param until When it stops waiting, by the process's clock.
	 * @returns what the last step returned; undefined if the signal was aborted
	 */
	async #repeatWhileFull<T extends { others: readonly Counted[] }>(
		needed: number,
		step: () => Promise<T>,
		until: number,
		signal: AbortSignal | undefined,
	): Promise<T | undefined> {
		const { process } = this.recording;
		let counted = await step();
		while (this.#mayGetPlaces(counted.others, needed) && process.now() < until) {
			if (signal === undefined) return counted;
			// At random, so that runs that withdraw together don't come back together.
			await process.wait(SHORTEST_PAUSE * (1 + Math.random()), signal);
			if (signal.aborted) return undefined;
			counted = await step();
		}
		return counted;
	}

	/** Whether there are too few places, and enough if all requests under way turned out to be free. */
	#mayGetPlaces(others: readonly Counted[], needed: number): boolean {
		const settled = others.filter((each) => !this.#isUnderWay(each));
		return others.length + needed > this.max && settled.length + needed <= this.max;
	}

	#limitReached(counted: readonly Counted[], needed: number, isNothingSent: boolean): LimitReached {
		const now = this.recording.process.timeOfDay();
		const times = counted.map(({ time }) => time).sort((a, b) => a - b);
		// Once so many of the oldest are over that there is a place.
		const next = times[Math.max(0, times.length - this.max)] ?? now - DAY;
		const counts = this.recording.log === undefined ? DAY : DAY + CLOCK_DIFFERENCE;
		return {
			kind: 'limit reached',
			per: 'day',
			max: this.max,
			bought: counted.length,
			needed,
			freeIn: Math.max(0, next + counts - now),
			isNothingSent,
			isTool: this.isTool,
		};
	}

	/** The node's purchases of the last 24 hours, its own requests included. */
	async #counted(): Promise<Counted[]> {
		const { process, log, common } = this.recording;
		const since = process.timeOfDay() - DAY;
		const known = new Map<string, Counted>();
		for (const [entry, time] of process.purchaseTimes.since(common.node, since)) {
			const purchase = process.journal.get({ node: common.node, entry });
			known.set(entry, { ...purchase, entry, time });
		}
		const most = this.max + 1 + known.size;
		const rows = (await log?.rows.findSince(common.node, since - CLOCK_DIFFERENCE, most)) ?? [];
		for (const row of rows) if (!known.has(row.entry)) known.set(row.entry, row);
		return [...known.values()];
	}

	/** Whether a request may turn out to be free. */
	#isUnderWay({ entry, state, run = '', time, told }: Counted): boolean {
		const { process, common } = this.recording;
		if (state !== 'sent') return false;
		if (processOf(run) === process.name) {
			// A request that is gone by now has just turned out to be free.
			const isGone = process.journal.get({ node: common.node, entry }) === undefined;
			if (isGone) return process.journal.isLive(run);
			return process.underWay.has(entry) || process.awaited.has(entry);
		}
		return told !== true && process.timeOfDay() - time < AWAITED_FOR;
	}
}
