import type { Purchase } from './purchase';

/** A run of the node: one round of a loop, or one call of an agent, with all attempts that Retry On Fail makes of it. */
export class NodeRun {
	/** Whether it has ended, or was stopped. What its requests still bring is nobody's. */
	isOver = false;

	/** The purchases that it bought or uses, each with the holder that it had before. */
	readonly before = new Map<Purchase, string>();

	/** Images that it is going to buy, which count towards the limits from its start. */
	planned = 0;

	/** Gives back what its latest attempt has, if no other attempt can be prepared. */
	endUndelivered: () => void = () => {};

	/** Stops listening to Stop. */
	stopListening: () => void = () => {};

	constructor(
		/** Identifies the workflow and the node. */
		readonly node: string,
		/** The execution, or a name of its own where n8n gives no id. */
		readonly execution: string,
		/** Its index in the execution. */
		readonly round: number,
		/** How often n8n repeats it by itself if it fails. */
		public attemptsLeft: number,
	) {}

	/**
	 * Gives purchases the holders from before. A run that has taken one over, such as a Retry, gives it back to them later.
	 * @param others The runs that go on.
	 * @returns those that have changed
	 */
	putBack(purchases: readonly Purchase[], others: readonly NodeRun[]): Purchase[] {
		const changed: Purchase[] = [];
		for (const purchase of purchases) {
			const holder = this.before.get(purchase);
			this.before.delete(purchase);
			if (holder === undefined) continue;
			if (purchase.holder === this.execution) {
				purchase.holder = holder;
				changed.push(purchase);
			} else {
				const heir = others.find(({ before }) => before.get(purchase) === this.execution);
				heir?.before.set(purchase, holder);
			}
		}
		return changed;
	}
}
