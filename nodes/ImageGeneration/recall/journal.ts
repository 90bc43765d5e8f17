import type { Purchase } from './purchase';

/** Milliseconds: a daily schedule is always a little late, and a weekend has two days. */
export const REMEMBERED_FOR = 80 * 60 * 60 * 1000;
/** Milliseconds in which an answer to a request is still waited for. */
export const AWAITED_FOR = 2 * 60 * 1000;

const MOST_OF_A_NODE = 1000;
const MOST_NODES = 1000;

/** The order in which purchases are forgotten if there are too many. */
const FORGOTTEN = ['ended well', 'delivered', 'open', 'left'] as const;

/** A run that goes on. */
interface LiveRun {
	/** Aborted when it is stopped. */
	signal: AbortSignal;
	/** Looks whether those that call it go on; n8n tells a sub-workflow nothing (2.41.1). */
	checkCallers: () => Promise<void>;
}

/** The purchases of this n8n process, and its runs that go on. Always written, at once, without failing. */
export class Journal {
	/** By node, then by entry, the oldest first. The node that bought last is at the end. */
	readonly #nodes = new Map<string, Map<string, Purchase>>();

	readonly #live = new Map<string, LiveRun>();

	/** @param hasEndedWell Whether n8n has said so of an execution. */
	constructor(private readonly hasEndedWell: (execution: string) => boolean) {}

	beginRun(run: string, live: LiveRun): void {
		// n8n does not start the next attempt of a run that was stopped.
		for (const [name, { signal }] of this.#live) if (signal.aborted) this.#live.delete(name);
		this.#live.set(run, live);
	}

	endRun(run: string): void {
		this.#live.delete(run);
	}

	/** Whether a run of this process goes on. After Stop it does not, even if it still winds up. */
	isLive(run: string): boolean {
		return this.#live.get(run)?.signal.aborted === false;
	}

	/** Stops a run whose callers are over. */
	async checkCallers(run: string): Promise<void> {
		await this.#live.get(run)?.checkCallers();
	}

	put(purchase: Purchase, now: number): void {
		const { node, entry } = purchase;
		const purchases = this.#nodes.get(node) ?? new Map<string, Purchase>();
		this.#nodes.delete(node);
		this.#nodes.set(node, purchases);
		purchases.set(entry, purchase);
		this.#forgetOld(purchases, now);
		for (const oldest of [...this.#nodes.keys()].slice(0, -MOST_NODES)) this.#nodes.delete(oldest);
	}

	drop({ node, entry }: Purchase): void {
		this.#nodes.get(node)?.delete(entry);
	}

	/** The purchase of that name, if this process has it. */
	get({ node, entry }: Pick<Purchase, 'node' | 'entry'>): Purchase | undefined {
		return this.#nodes.get(node)?.get(entry);
	}

	/** The purchases of a node, the latest first. */
	of(node: string): Purchase[] {
		return [...(this.#nodes.get(node)?.values() ?? [])].reverse();
	}

	/** The purchases of all nodes that match, the latest first. */
	find(matches: (purchase: Purchase) => boolean): Purchase[] {
		const all = [...this.#nodes.values()].flatMap((purchases) => [...purchases.values()]);
		return all.filter(matches).sort((a, b) => b.time - a.time);
	}

	#forgetOld(purchases: Map<string, Purchase>, now: number): void {
		for (const { entry, time, run } of purchases.values()) {
			if (now - time <= REMEMBERED_FOR) break;
			if (!this.isLive(run)) purchases.delete(entry);
		}
		let surplus = purchases.size - MOST_OF_A_NODE;
		if (surplus <= 0) return;
		const kinds = [...purchases.values()].map((each) => [each.entry, this.#kindOf(each)] as const);
		for (const kind of FORGOTTEN) {
			const alike = kinds.filter(([, each]) => each === kind);
			for (const [entry] of alike.slice(0, Math.max(0, surplus))) purchases.delete(entry);
			surplus -= alike.length;
		}
	}

	#kindOf({ state, execution, run }: Purchase): (typeof FORGOTTEN)[number] | 'live' {
		if (this.isLive(run)) return 'live';
		if (state === 'left') return 'left';
		if (state !== 'delivered') return 'open';
		return this.hasEndedWell(execution) ? 'ended well' : 'delivered';
	}
}
