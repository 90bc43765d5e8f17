import type { AccountRates } from '../buy/rateLimiter';
import { EarlierRounds } from '../n8n/earlierRounds';
import type { NodeRun } from '../recall/nodeRun';
import type { Callers } from './callers';

/** By the node's context, which is the same object in all runs of an execution until it pauses (2.41.1, 1.123.81). */
const states = new WeakMap<object, ExecutionState>();

/** What the node's runs in one execution share in memory: rounds of a loop, attempts, an agent's parallel calls. */
export class ExecutionState {
	/** The runs that Retry On Fail repeats, by their index. */
	readonly repeatedRuns = new Map<number, NodeRun>();

	/** What the rounds of a loop have returned. */
	readonly earlierRounds = new EarlierRounds();

	/** The executions that wait for this one, once n8n has said which. */
	callers: Callers | undefined;

	/** The rates that the account has been found to allow. */
	rates: AccountRates | undefined;

	#calls = 0;

	/** Numbers an agent's calls. */
	countCall(): number {
		this.#calls++;
		return this.#calls;
	}

	/** Returns the one of an execution. Without an execution, each run has its own. */
	static of(context: object): ExecutionState {
		const state = states.get(context) ?? new ExecutionState();
		states.set(context, state);
		return state;
	}
}
