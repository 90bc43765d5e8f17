import type { AskN8n, StoredExecution } from '../../execution';
import { settle, unwrap } from '../../failures/failures';

const MOST_ANSWERS = 1000;

/** What n8n has said of executions. */
export class StoredExecutions {
	/** By the execution's id, the latest at the end. */
	readonly #answers = new Map<string, Promise<StoredExecution | undefined>>();

	/** @throws if n8n does not answer; it is asked again next time */
	async ask(id: string, n8n: AskN8n): Promise<StoredExecution | undefined> {
		const answer = this.#answers.get(id) ?? n8n(id);
		this.#answers.set(id, answer);
		for (const oldest of [...this.#answers.keys()].slice(0, -MOST_ANSWERS)) {
			this.#answers.delete(oldest);
		}
		const asked = await settle(answer);
		if ('failure' in asked) this.forget(id);
		return unwrap(asked);
	}

	/** Asks about an execution again next time, because it goes on. */
	forget(id: string): void {
		this.#answers.delete(id);
	}
}
