import { PurchaseLine } from '../buy/purchaseLimit';
import type { AccountRates } from '../buy/rateLimiter';
import type { Execution } from '../execution';
import { NamesInUse } from '../plan/namesInUse';
import { RememberedJobs } from '../recall/executionMemory';
import type { Purchases } from '../recall/purchases';
import type { AttemptEnd, RunRecord } from '../recall/runRecord';
import { onAbort } from '../wait';

/** What it has to know of the execution. */
type SharedExecution = Pick<Execution, 'context' | 'signal' | 'earlierLinks'>;

/** By the node's context, which is the same object in all runs of an execution (2.41.1, 1.123.81). */
const states = new WeakMap<object, ExecutionState>();

/** What the node's runs in one execution share: rounds of a loop, attempts, an agent's parallel calls. */
export class ExecutionState {
	/** The jobs whose outcome is known. */
	readonly jobs: RememberedJobs;

	/** The runs that Retry On Fail repeats, by their names: rounds of a loop have one each. */
	readonly repeatedRuns = new Map<string, RunRecord>();

	readonly namesInUse = new NamesInUse();

	/** The requests that wait for a place under Max Images. */
	readonly line: PurchaseLine;

	/** Those of the last run that ended by itself. */
	#ended: Purchases | undefined;

	/** What was learned about the service's limits. */
	rates: AccountRates | undefined;

	private constructor({ context, signal, earlierLinks }: SharedExecution) {
		this.jobs = new RememberedJobs(context, earlierLinks());
		this.line = new PurchaseLine(Number(context.imagesBought ?? 0));
		// Also while a later node runs, and never if the execution ends by itself (2.41.1, 1.123.81).
		onAbort(signal, () => void this.takeBack('stopped'));
	}

	/** Returns the one of this execution. Without an execution, each run has its own. */
	static of(execution: SharedExecution): ExecutionState {
		const state = states.get(execution.context) ?? new ExecutionState(execution);
		states.set(execution.context, state);
		return state;
	}

	/**
	 * Ends an attempt of a run with its purchases, and takes back what the execution's runs had delivered if it does not
	 * end well.
	 * @param goesOn Whether the execution goes on even if this attempt failed.
	 */
	async end(
		purchases: Purchases,
		how: AttemptEnd,
		{ signal, goesOn }: { signal: AbortSignal; goesOn: boolean },
	): Promise<void> {
		await purchases.end(how);
		const isStopped = signal.aborted || (how === 'stopped' && !goesOn);
		if (how === 'failed' && !goesOn && !isStopped) await this.takeBack('failed');
		if (how === 'delivered' || how === 'failed') this.#ended = purchases;
		if (isStopped) await this.takeBack('stopped');
	}

	/** Marks what runs of the execution left as they ended, if any did, because it does not end well. */
	async takeBack(as: 'failed' | 'stopped'): Promise<void> {
		await this.#ended?.takeBack(as);
	}
}
