import type { AskN8n, StoredExecution } from '../execution';
import { settle } from '../failures/failures';

const MOST_ANSWERS = 1000;

/** What n8n has said of executions, each of which is asked about at most once by a process. */
export class StoredExecutions {
	/** By the execution's id, the latest at the end. */
	readonly #answers = new Map<string, StoredExecution>();

	async ask(id: string, n8n: AskN8n): Promise<StoredExecution> {
		const known = this.#answers.get(id);
		if (known !== undefined) return known;
		const asked = await settle(n8n(id));
		const answer = 'value' in asked ? asked.value : UNKNOWN;
		// One that goes on will end.
		if (answer.kind !== 'unfinished') this.#answers.set(id, answer);
		for (const oldest of [...this.#answers.keys()].slice(0, -MOST_ANSWERS)) {
			this.#answers.delete(oldest);
		}
		return answer;
	}
}

/** n8n did not answer, so nothing follows. */
const UNKNOWN: StoredExecution = {
	kind: 'output',
	isFailed: false,
	links: new Set(),
};
