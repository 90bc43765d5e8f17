import type { AskN8n, StoredExecution } from '../execution';
import { settle } from '../failures/failures';

const MOST_ANSWERS = 1000;

/** What n8n has said of executions. A process asks about each once, and again only while it goes on. */
export class StoredExecutions {
	/** By the execution's id, the latest at the end. */
	readonly #answers = new Map<string, Promise<StoredExecution>>();

	/** @returns what leaves everything as it is, if n8n does not answer */
	async ask(id: string, n8n: AskN8n): Promise<StoredExecution> {
		const answer = this.#answers.get(id) ?? n8n(id);
		this.#answers.set(id, answer);
		for (const oldest of [...this.#answers.keys()].slice(0, -MOST_ANSWERS)) {
			this.#answers.delete(oldest);
		}
		const asked = await settle(answer);
		const isFinal = 'value' in asked && asked.value.kind !== 'unfinished';
		// One that goes on will end, and n8n may answer next time.
		if (!isFinal && this.#answers.get(id) === answer) this.#answers.delete(id);
		return 'value' in asked ? asked.value : UNKNOWN;
	}
}

const UNKNOWN: StoredExecution = {
	kind: 'output',
	isFailed: false,
	links: new Set(),
};
