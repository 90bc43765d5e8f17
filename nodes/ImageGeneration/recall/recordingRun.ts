import type { Failure } from '../failures/failures';
import type { Clock, NodeProcess } from './leases';
import type { Condition, PurchaseRow, PurchaseTable } from './purchaseTable';

/** What a run knows of its rows. The attempts of Retry On Fail are one run, so each goes on with it. */
export interface RunRows {
	/** Whether n8n starts no other attempt if this one fails. */
	isLastAttempt: boolean;
	/** Whether it has written any. */
	hasAny: boolean;
	/** Finds one that stays until the run ends. */
	lasting: Condition | undefined;
	/** When it began to write the last one that stays, in milliseconds of this process's clock. */
	renewedAt: number;
	/** `sent` rows of requests whose outcome is not known, by entry. */
	unsettled: Map<string, PurchaseRow>;
}

/** @returns what a run knows before it has written anything. */
export function noRows(): RunRows {
	return {
		...{ isLastAttempt: true, hasAny: false, lasting: undefined, renewedAt: -Infinity },
		...{ unsettled: new Map() },
	};
}

/** A run, and the table that it records its purchases in. */
export interface RecordingRun {
	table: PurchaseTable;
	process: NodeProcess;
	clock: Clock;
	signal: AbortSignal | undefined;
	/** What all rows of the run have in common; the name of the run is that of all its attempts. */
	place: Pick<PurchaseRow, 'operation' | 'workflow' | 'execution' | 'node' | 'run'>;
	/** Whether this n8n gives the execution of a dead process to another one. */
	repeats: boolean;
	rows: RunRows;
	/** Called if the table does not show what became of an image, or of a whole run. */
	onMissing: (label: string | undefined, failure: Failure) => void;
}
