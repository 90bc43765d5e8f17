import type { Outcome } from '../failures/failures';
import type { AskN8n } from '../n8n/storedExecution';
import type { Job, JobResult } from '../types';
import type { RecallPolicy } from './choice';
import type { ExecutionMemory, Origin } from './executionMemory';
import type { Offer } from './offers';
import type { Purchase } from './purchase';
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

/** A job's outcome that is known before anything is bought. */
export interface Known {
	outcome: Outcome<JobResult>;
	from: Origin;
	/** The name of its purchase, if the execution's memory has it. */
	entry?: string;
	/** The purchase of another run that this one uses. */
	purchase?: Purchase;
}

/** The result of looking for images that are there. */
export interface Recalled {
	known: Map<Job, Known>;
	/** The images that the run has to take before it has them. */
	toTake: Map<Job, Offer>;
	/** The requests under way whose answers nobody has yet. */
	awaited: Map<Job, Purchase>;
}
