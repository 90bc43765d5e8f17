import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { Execution } from '../n8n/execution';
import type { Recalled } from '../recall/known';
import type { Purchase } from '../recall/purchase';
import type { JobOutcome, JobResult } from '../types';
import type { Tally } from './executionLog';

/** What the hints of a run tell of. */
export interface Report {
	context: Pick<IExecuteFunctions, 'getTimezone'>;
	node: Pick<INode, 'onError'>;
	execution: Pick<Execution, 'isManual' | 'savesFailed'>;
	log: { tally: Tally };
	/** Names of the options that were added. */
	added: ReadonlySet<string>;
	/** What is settled already of its jobs. */
	known: Recalled['known'];
	outcomes: readonly JobOutcome[];
	/** What other runs left and nobody has told. */
	toTell: readonly Purchase[];
	/** What earlier attempts bought and this one no longer asked for. */
	surplus: readonly JobResult[];
	/** Whether people should hear that the node forgets what it bought when n8n restarts. */
	isForgotten: boolean;
	/** The refused requests, and how long they delayed the run, in milliseconds. */
	limiters: { paid: { refusals: number; held: number } };
}
