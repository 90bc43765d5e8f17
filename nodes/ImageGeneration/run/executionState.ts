import { PurchaseLine } from '../buy/purchaseLimit';
import type { AccountRates } from '../buy/rateLimiter';
import type { Execution } from '../execution';
import { RememberedJobs } from '../recall/executionMemory';
import { RepeatedRuns } from '../recall/runRecord';

/** By the node's context, which is the same object in all runs of an execution (2.41.1, 1.123.81). */
const states = new WeakMap<object, ExecutionState>();

/** What the node's runs in one execution share: rounds of a loop, attempts, an agent's parallel calls. */
export class ExecutionState {
	/** The jobs whose outcome is known. */
	readonly jobs: RememberedJobs;

	/** The runs that Retry On Fail repeats. */
	readonly repeatedRuns = new RepeatedRuns();

	/** The requests that wait for a place under Max Images. */
	readonly line = new PurchaseLine();

	/** What was learned about the service's limits. */
	rates: AccountRates | undefined;

	private constructor({ context }: Execution) {
		this.jobs = new RememberedJobs(context);
	}

	/** Returns the one of this execution. Without an execution, each run has its own. */
	static of(execution: Execution): ExecutionState {
		const state = states.get(execution.context) ?? new ExecutionState(execution);
		states.set(execution.context, state);
		return state;
	}
}
