import type { LimitReached } from '../failures/failures';
import type { DayLimit } from './dayLimit';
import type { PurchaseLimit } from './purchaseLimit';

/** The limits that a run has to keep: Max Images and Max Images per Day. */
export class Limits {
	constructor(
		readonly execution: PurchaseLimit,
		readonly day: DayLimit,
	) {}

	/** Whether any of them is set. */
	get isSet(): boolean {
		return this.execution.isSet || this.day.isSet;
	}

	/**
	 * Why they don't allow so many paid requests; undefined if they do, or if the signal is aborted.
	 * @param signal Ends the wait for requests under way of other runs. Without it, nothing is waited for.
	 * @throws if a Purchase Log does not answer
	 */
	async refusal(needed: number, signal?: AbortSignal): Promise<LimitReached | undefined> {
		return this.execution.refusal(needed) ?? (await this.day.refusal(needed, signal));
	}
}
