import type { IContextObject } from 'n8n-workflow';

import { Failed, notStarted, settle, type LimitReached } from '../failures/failures';
import { orAborted, Turns } from '../wait';

/** The requests of an execution that wait for a place, because the first jobs are bought first. */
export class PurchaseLine {
	/** Requests under way, which may turn out to be free. */
	underWay = 0;

	/** @param bought Images that the execution bought, or may have. */
	constructor(public bought = 0) {}

	readonly turns = new Turns();

	#wake: () => void = () => {};

	/** Waits until a request under way has ended. @throws the signal's reason if it is aborted */
	async untilOneEnds(signal: AbortSignal): Promise<void> {
		const ended = new Promise<void>((resolve) => {
			this.#wake = resolve;
		});
		await orAborted(ended, signal);
	}

	begin(): void {
		this.underWay++;
	}

	end(): void {
		this.underWay--;
		this.#wake();
	}
}

/**
 * Caps the images that the node buys, or may have bought, in one execution. The count is stored in the
 * node's context, so it includes the rounds of a loop, an agent's calls and Retry in the list of
 * executions.
 */
export class PurchaseLimit {
	/**
	 * @param context Where n8n stores the count.
	 * @param line Shared by the runs of the execution.
	 * @param max 1 or more; Infinity means no limit.
	 */
	constructor(
		private readonly context: IContextObject,
		private readonly line: PurchaseLine,
		private readonly max: number,
		private readonly isTool = false,
	) {}

	get isSet(): boolean {
		return this.max < Infinity;
	}

	/** Why a run can't make this many paid requests; undefined if they stay within the limit. */
	refusal(needed: number): LimitReached | undefined {
		const { max, isTool } = this;
		const { bought } = this.line;
		if (bought + needed <= max) return undefined;
		return {
			kind: 'limit reached',
			per: 'execution',
			max,
			bought,
			needed,
			isNothingSent: true,
			isTool,
		};
	}

	/**
	 * Counts a paid request. At the limit it waits for those under way, which may turn out to be free.
	 * @throws Failed if the limit allows no more, or if the signal is aborted.
	 */
	async reserve(signal: AbortSignal): Promise<ReservedPlace> {
		return await this.line.turns.take(async () => {
			let full = this.refusal(1);
			while (full !== undefined) {
				if (this.line.underWay === 0) throw new Failed({ ...full, isNothingSent: false });
				await settle(this.line.untilOneEnds(signal));
				if (signal.aborted) throw new Failed(notStarted.failure);
				full = this.refusal(1);
			}
			this.count(1);
			return new ReservedPlace(this, this.line);
		});
	}

	/**
	 * Counts images, or takes them back. Counts also without a limit, because somebody may set one before Retry
	 * in the list of executions.
	 */
	count(images: number): void {
		this.line.bought += images;
		this.context.imagesBought = this.line.bought;
	}

	/** Ends a run. @param isDelivered Whether n8n has its output, so that nobody retries it. */
	end(isDelivered: boolean): void {
		const isNeeded = this.line.bought > 0 && (this.max < Infinity || !isDelivered);
		if (isNeeded) this.context.imagesBought = this.line.bought;
		else delete this.context.imagesBought;
	}
}

/** The place of a job's paid request under the limit. */
export class ReservedPlace {
	constructor(
		private readonly limit: PurchaseLimit,
		private readonly line: PurchaseLine,
	) {
		line.begin();
	}

	/** Ends the job, and gives the place back if it was not charged. */
	end(isCharged: boolean): void {
		if (!isCharged) this.limit.count(-1);
		this.line.end();
	}
}
