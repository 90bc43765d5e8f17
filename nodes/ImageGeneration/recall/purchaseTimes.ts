import type { Purchase } from './purchase';

const MOST_NODES = 1000;
const DAY = 24 * 60 * 60 * 1000;

/**
 * When each node's requests went out, in milliseconds since 1970. Kept apart from the journal, which forgets the oldest
 * purchases of a node that buys very often.
 */
export class PurchaseTimes {
	/** By node, then by entry, the oldest first. */
	readonly #nodes = new Map<string, Map<string, number>>();

	add({ node, entry, time }: Purchase): void {
		const times = this.#nodes.get(node) ?? new Map<string, number>();
		this.#nodes.delete(node);
		this.#nodes.set(node, times.set(entry, time));
		for (const oldest of [...this.#nodes.keys()].slice(0, -MOST_NODES)) this.#nodes.delete(oldest);
		for (const [old, at] of times) {
			if (time - at <= DAY) break;
			times.delete(old);
		}
	}

	/** A request was definitely not charged. */
	remove({ node, entry }: Purchase): void {
		this.#nodes.get(node)?.delete(entry);
	}

	/** The purchases of a node since a time. */
	since(node: string, since: number): Map<string, number> {
		const all = [...(this.#nodes.get(node) ?? [])];
		return new Map(all.filter(([, time]) => time >= since));
	}
}
