import type { AskN8n } from '../n8n/storedExecution';
import type { Job } from '../types';
import type { RecallPolicy } from './choice';
import type { ExecutionMemory } from './executionMemory';
import type { Purchases } from './purchases';

/** The means by which a run recalls. */
export interface Recalling {
	/** The purchases of this execution. */
	memory: ExecutionMemory;
	/** The purchases of the run, and those of others. */
	purchases: Purchases;
	/** The entries that the execution's runs have used. */
	used: Set<string>;
	ask: AskN8n;
	policy: RecallPolicy;
	isTool: boolean;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
	/** Whether it buys nothing, so that it waits for nothing. */
	dryRun: boolean;
	/** Called once if it waits for what other runs asked for. */
	onWait: (jobs: readonly Job[]) => void;
}
