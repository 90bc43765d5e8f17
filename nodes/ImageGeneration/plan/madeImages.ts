/** An image that a node has delivered. */
export interface MadeImage {
	/** Identifies the tool and the text parts that it was made with. */
	instruction: string;
	execution: string;
	/** The execution that runs that one as a sub-workflow; empty if there is none. */
	caller: string;
	/** Milliseconds since 1970. */
	time: number;
	link: string;
	/** Its bytes, if it was downloaded. */
	file?: { size: number; sha256: string };
}

const DAY = 24 * 60 * 60 * 1000;
const MOST_OF_A_NODE = 1000;
const MOST_NODES = 1000;

/** What the nodes of this n8n process have made in the last day. */
export class MadeImages {
	/** By node, the oldest first. */
	readonly #nodes = new Map<string, MadeImage[]>();

	add(node: string, made: MadeImage): void {
		const recent = this.of(node, made.time);
		this.#nodes.delete(node);
		this.#nodes.set(node, [...recent, made].slice(-MOST_OF_A_NODE));
		for (const oldest of [...this.#nodes.keys()].slice(0, -MOST_NODES)) this.#nodes.delete(oldest);
	}

	of(node: string, now: number): readonly MadeImage[] {
		return (this.#nodes.get(node) ?? []).filter(({ time }) => now - time <= DAY);
	}
}
