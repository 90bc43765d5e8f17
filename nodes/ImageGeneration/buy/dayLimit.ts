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

/**
 * Caps the images that the node buys, or may have bought, in any 24 hours: in this n8n process or, with a Purchase Log,
 * in all of them. A request is recorded first and then counted, so that runs that meet never exceed the limit.
 */
export class DayLimit {
	/** @param max 1 or more; Infinity means no limit. */
	constructor(
		private readonly recording: Recording,
		private readonly max: number,
		private readonly isTool: boolean,
	) {}

	get isSet(): boolean {
		return this.max < Infinity;
	}

	/** Why a run can't make this many paid requests now; undefined if they stay within the limit. */
	async refusal(needed: number): Promise<LimitReached | undefined> {
		if (!this.isSet || needed <= 0) return undefined;
		const counted = await this.#counted();
		if (counted.length + needed <= this.max) return undefined;
		return this.#limitReached(counted, needed, true);
	}

	/**
	 * Records a job's request, as soon as there is a place for it.
	 * @throws Failed if there is none, if the signal is aborted, or if the log does not take it
	 */
	async record(purchases: Purchases, job: Job, signal: AbortSignal): Promise<Purchase> {
		const { process } = this.recording;
		const until = process.now() + AWAITED_FOR;
		let purchase = await purchases.send(job);
		if (!this.isSet) return purchase;
		let counted = await this.#countedWith(purchases, job);
		while (counted.length > this.max) {
			purchases.withdraw(job);
			const others = counted.filter(({ entry }) => entry !== purchase.entry);
			const isOver = process.now() >= until || !others.some((each) => this.#isUnderWay(each));
			if (isOver) throw new Failed(this.#limitReached(others, 1, false));
			// At random, so that runs that withdraw together don't come back together.
			await process.wait(SHORTEST_PAUSE * (1 + Math.random()), signal);
			if (signal.aborted) throw new Failed(notStarted.failure);
			purchase = await purchases.send(job);
			counted = await this.#countedWith(purchases, job);
		}
		return purchase;
	}

	/** Counts after a request was recorded, which is withdrawn if that is impossible: it has not gone out. */
	async #countedWith(purchases: Purchases, job: Job) {
		const counted = await settle(this.#counted());
		if ('failure' in counted) purchases.withdraw(job);
		return unwrap(counted);
	}

	#limitReached(
		counted: ReadonlyArray<{ time: number }>,
		needed: number,
		isNothingSent: boolean,
	): LimitReached {
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
	async #counted(): Promise<Array<Pick<Purchase, 'entry' | 'time'> & Partial<Purchase>>> {
		const { process, log, common } = this.recording;
		const since = process.timeOfDay() - DAY;
		const known = new Map<string, Pick<Purchase, 'entry' | 'time'> & Partial<Purchase>>();
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
	#isUnderWay({
		entry,
		state,
		run = '',
		time,
		told,
	}: Partial<Purchase> & { time: number }): boolean {
		const { process } = this.recording;
		if (state !== 'sent') return false;
		if (processOf(run) === process.name) {
			return process.journal.isLive(run) || process.awaited.has(entry ?? '');
		}
		return told !== true && process.timeOfDay() - time < AWAITED_FOR;
	}
}
