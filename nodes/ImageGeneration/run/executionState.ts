import { PurchaseLine } from '../buy/purchaseLimit';
import type { AccountRates } from '../buy/rateLimiter';
import type { Execution } from '../execution';
import { RememberedJobs } from '../recall/executionMemory';
import type { Purchases } from '../recall/purchases';
import { RepeatedRuns, type AttemptEnd } from '../recall/runRecord';
import { onAbort } from '../wait';

/** By the node's context, which is the same object in all runs of an execution (2.41.1, 1.123.81). */
const states = new WeakMap<object, ExecutionState>();

/** What the node's runs in one execution share: rounds of a loop, attempts, an agent's parallel calls. */
export class ExecutionState {
	/** The jobs whose outcome is known. */
	readonly jobs: RememberedJobs;

	/** The runs that Retry On Fail repeats. */
	readonly repeatedRuns = new RepeatedRuns();

	/** The requests that wait for a place under Max Images. */
	readonly line: PurchaseLine;

	/** Those of the last run that delivered. */
	#delivered: Purchases | undefined;

	/** Forgets what would be done after Stop. */
	#cancel = () => {};

	/** What was learned about the service's limits. */
	rates: AccountRates | undefined;

	private constructor({ context }: Execution) {
		this.jobs = new RememberedJobs(context);
		this.line = new PurchaseLine(Number(context.imagesBought ?? 0));
	}

	/** Returns the one of this execution. Without an execution, each run has its own. */
	static of(execution: Execution): ExecutionState {
		const state = states.get(execution.context) ?? new ExecutionState(execution);
		states.set(execution.context, state);
		return state;
	}

	/**
	 * Ends an attempt of a run with its purchases, and what earlier runs of the execution delivered with it if the
	 * execution does not end well: it fails, or is stopped, now or while a later node runs. Its signal is never
	 * aborted if it ends by itself (2.41.1, 1.123.81).
	 * @param goesOn Whether the execution goes on even if this attempt failed.
	 */
	async end(
		purchases: Purchases,
		how: AttemptEnd,
		{ signal, goesOn }: { signal: AbortSignal; goesOn: boolean },
	): Promise<void> {
		await purchases.end(how);
		if (how === 'delivered') this.#delivered = purchases;
		if (signal.aborted || (how === 'stopped' && !goesOn)) {
			await this.takeBackDelivered('stopped');
		} else if (how === 'failed' && !goesOn) {
			await this.takeBackDelivered('failed');
		} else if (how === 'delivered') {
			this.#cancel();
			this.#cancel = onAbort(signal, () => void purchases.takeBackDelivered('stopped'));
		}
	}

	/** Marks what earlier runs of the execution delivered, if any did, because it does not end well. */
	async takeBackDelivered(as: 'failed' | 'stopped'): Promise<void> {
		await this.#delivered?.takeBackDelivered(as);
	}
}
