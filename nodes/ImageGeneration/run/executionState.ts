import { PurchaseLine } from '../buy/purchaseLimit';
import type { AccountRates } from '../buy/rateLimiter';
import { settle } from '../failures/failures';
import type { Execution } from '../n8n/execution';
import { NamesInUse } from '../plan/namesInUse';
import { RememberedJobs } from '../recall/executionMemory';
import type { Purchase } from '../recall/purchase';
import type { Purchases } from '../recall/purchases';
import { onAbort } from '../wait';
import type { Callers } from './callers';

/** A run of the node that n8n may repeat by itself. */
export class Run {
	/** The purchases of its latest attempt; undefined if none could be prepared. */
	purchases: Purchases | undefined;

	constructor(
		/** Unique. Begins with the name of its process. */
		readonly name: string,
		/** How often n8n, or an agent that reads the error, may repeat it if it fails. */
		public attemptsLeft: number,
	) {}
}

/** By the node's context, which is the same object in all runs of an execution until it pauses (2.41.1, 1.123.81). */
const states = new WeakMap<object, ExecutionState>();

/** The state that the node's runs in one execution share: rounds of a loop, attempts, an agent's parallel calls. */
export class ExecutionState {
	/** The jobs whose outcome is known. */
	readonly jobs: RememberedJobs;

	/** The runs that Retry On Fail repeats, by their index: rounds of a loop have one each. */
	readonly repeatedRuns = new Map<string, Run>();

	readonly namesInUse = new NamesInUse();

	/** The requests that wait for a place under Max Images. */
	readonly line: PurchaseLine;

	/** The executions that wait for this one, once n8n has said which. */
	callers: Callers | undefined;

	/** The purchases of the last attempt. */
	purchases: Purchases | undefined;

	/** Purchases of other executions that its runs have told people of. */
	readonly told: Purchase[] = [];

	/** The rates that the account has been found to allow. */
	rates: AccountRates | undefined;

	private constructor({ context, signal }: Pick<Execution, 'context' | 'signal'>) {
		this.jobs = new RememberedJobs(context);
		this.line = new PurchaseLine(Number(context.imagesBought ?? 0));
		// Also while a later node runs, and never if the execution ends by itself (2.41.1, 1.123.81).
		onAbort(signal, () => void settle(this.leave()));
	}

	/** Returns the one of this execution. Without an execution, each run has its own. */
	static of(execution: Pick<Execution, 'context' | 'signal'>): ExecutionState {
		const state = states.get(execution.context) ?? new ExecutionState(execution);
		states.set(execution.context, state);
		return state;
	}

	/**
	 * Leaves all that the execution bought to whoever asks for the same, and what it told of others to whoever comes next,
	 * because it was stopped.
	 */
	async leave(): Promise<void> {
		await this.purchases?.leaveAll(this.told);
	}
}
