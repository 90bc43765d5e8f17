import { settle } from '../failures/failures';
import type { Execution } from '../n8n/execution';
import { fateOf, type AskN8n, type Fate, type StoredExecution } from '../n8n/storedExecution';

/** Milliseconds between two questions to n8n. */
const PAUSE = 2000;

const OVER: readonly Fate[] = ['did not end well', 'rejected', 'ended well'];

/**
 * Tells a sub-workflow whether the executions that wait for it go on: n8n tells it nothing when somebody stops them, or
 * when their time is over (2.41.1).
 */
export class Callers {
	readonly #stop = new AbortController();

	#askedAt = -Infinity;

	#answer: Promise<void> | undefined;

	/** Aborted once one of them is over. */
	readonly signal = this.#stop.signal;

	/** The execution that waits for this one; empty if none does, undefined until n8n has said it. */
	#parent: string | undefined;

	/** The callers that n8n had. */
	readonly #seen = new Set<string>();

	constructor(
		private readonly process: { now(): number; timeOfDay(): number },
		private readonly ask: AskN8n,
		private readonly execution: Pick<Execution, 'id' | 'parentId' | 'isSubWorkflow'>,
	) {}

	/** Asks n8n unless it has just done so; then it waits for that answer. */
	async check(): Promise<void> {
		const { id, isSubWorkflow } = this.execution;
		if (!isSubWorkflow || id === '' || this.#parent === '') return;
		if (this.process.now() - this.#askedAt >= PAUSE) {
			this.#askedAt = this.process.now();
			this.#answer = this.#checkNow();
		}
		await this.#answer;
	}

	async #checkNow(): Promise<void> {
		let asking = (await this.#findParent()) ?? '';
		while (asking !== '') {
			const answer = await settle(this.ask(asking));
			// Nothing is stopped because n8n's database is away.
			if ('failure' in answer) return;
			if (this.#isOver(asking, answer.value)) {
				this.#stop.abort(new Error('the calling execution is over'));
				return;
			}
			if (answer.value === undefined) return;
			this.#seen.add(asking);
			asking = answer.value.parent;
		}
	}

	/** Its own data says whether the caller waits (2.41.1). */
	async #findParent(): Promise<string | undefined> {
		const { id, parentId } = this.execution;
		if (this.#parent !== undefined) return this.#parent;
		const own = await settle(this.ask(id));
		if ('value' in own) this.#parent = own.value?.parent ?? parentId;
		return this.#parent;
	}

	#isOver(id: string, stored: StoredExecution | undefined): boolean {
		// n8n keeps nothing of a caller that failed if its workflow saves none. Of one that it never had, nothing follows.
		if (stored === undefined) return this.#seen.has(id);
		// One that was found dead may be going on, as Retry.
		return OVER.includes(fateOf(stored, this.process.timeOfDay()));
	}
}
