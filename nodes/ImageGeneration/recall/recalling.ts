import type { Outcome } from '../failures/failures';
import type { AskN8n } from '../n8n/storedExecution';
import type { Job, JobResult } from '../types';
import type { RecallPolicy } from './choice';
import type { ExecutionMemory, Origin } from './executionMemory';
import type { Offer } from './offers';
import type { Purchase } from './purchase';
import type { Purchases } from './purchases';

/** What a run remembers with. */
export interface Recalling {
	/** What this execution bought. */
	memory: ExecutionMemory;
	/** What the node bought in all executions. */
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

/** What is known of a job before anything is bought. */
export interface Known {
	outcome: Outcome<JobResult>;
	from: Origin;
	/** The purchase of another run that this one uses. */
	purchase?: Purchase;
}

/** What a run learns before it buys. */
export interface Recalled {
	known: Map<Job, Known>;
	/** What it has to take before it has it. */
	toTake: Map<Job, Offer>;
	/** The requests under way whose answers nobody has yet. */
	awaited: Map<Job, Purchase>;
}
