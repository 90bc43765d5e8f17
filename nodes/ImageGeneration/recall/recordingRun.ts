import type { Failure } from '../failures/failures';
import type { Search } from './findRequests';
import type { Condition, PurchaseRow, StoredRow } from './purchaseTable';

/** One of the attempts of Retry On Fail, which are one run. */
export interface Attempt {
	/** Whether n8n starts no other attempt if this one fails. */
	isLast: boolean;
	/** Finds a row that the run keeps until it ends; undefined as long as it has none. */
	held: Condition | undefined;
	/** Rows that it may have taken over without knowing. */
	doubtful: StoredRow[];
}

/** A run, and the table that it records its purchases in. */
export interface RecordingRun
	extends Pick<Search, 'table' | 'process' | 'clock' | 'signal' | 'repeats'> {
	/** The account, workflow and node. */
	owner: string;
	/** What all rows of the run have in common; the name of the run is that of all its attempts. */
	place: Pick<PurchaseRow, 'operation' | 'workflow' | 'execution' | 'run'>;
	attempt: Attempt;
	/** Called if the table does not show what became of an image, or of a whole run. */
	onMissing: (label: string | undefined, failure: Failure) => void;
}
