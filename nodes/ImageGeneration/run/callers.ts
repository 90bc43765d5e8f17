import type { AskN8n } from '../n8n/storedExecution';
import { Judge, type JudgingProcess } from '../recall/judge';

/** Milliseconds between two questions to n8n. */
const PAUSE = 2000;

/**
 * Tells a sub-workflow whether the executions that wait for it go on: n8n tells it nothing when somebody stops them, or
 * when their time is over (2.41.1).
 */
export class Callers {
	readonly #stop = new AbortController();

	#askedAt = -Infinity;

	#answer: Promise<void> | undefined;

	#wasThere = false;

	/** Aborted once one of them is over. */
	readonly signal = this.#stop.signal;

	/** @param parent The execution that waits for this one; empty if there is none. */
	constructor(
		private readonly process: JudgingProcess & { now(): number },
		private readonly ask: AskN8n,
		readonly parent: string,
	) {}

	/** Asks unless it has just done so; then it waits for that answer. */
	async check(): Promise<void> {
		if (this.process.now() - this.#askedAt >= PAUSE) await this.checkNow();
		else await this.#answer;
	}

	/** Asks, because another run wants to know whether this one goes on. */
	async checkNow(): Promise<void> {
		if (this.parent === '') return;
		this.#askedAt = this.process.now();
		this.#answer = this.#askNow();
		await this.#answer;
	}

	async #askNow(): Promise<void> {
		const word = await new Judge(this.process, this.ask).wordOnExecution(this.parent);
		if (word === 'goes on') this.#wasThere = true;
		// Without any data of it, nothing says that it was ever going on.
		const isUnknown = word === 'nobody knows' && !this.#wasThere;
		if (word === 'goes on' || isUnknown) return;
		this.#stop.abort(new Error('the calling execution is over'));
	}
}
