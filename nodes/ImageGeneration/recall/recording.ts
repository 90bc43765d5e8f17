import type { Failure } from '../failures/failures';
import type { Announcements } from './announcements';
import type { JudgingProcess } from './judge';
import type { PurchaseLog } from './log/purchaseLog';
import type { Purchase } from './purchase';
import type { PurchaseTimes } from './purchaseTimes';

/** The parts of an n8n process that recording needs. */
export interface RecordingProcess extends JudgingProcess {
	readonly announcements: Announcements;
	/** The requests of runs that wait for their outcome, by entry. */
	readonly underWay: Set<string>;
	/** The requests whose answers are awaited although their runs were stopped, by entry. */
	readonly awaited: Map<string, Promise<unknown>>;
	/** The times of the purchases of each node. */
	readonly purchaseTimes: PurchaseTimes;
	/** Milliseconds. Unlike the time of day, it is never set back. */
	now(): number;
	/** Resolves early if the signal is aborted. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The means by which a run records its purchases. */
export interface Recording {
	process: RecordingProcess;
	log: PurchaseLog | undefined;
	/** The run's name. */
	run: string;
	/** The properties that all its purchases have in common. */
	common: Pick<Purchase, 'accounts' | 'node' | 'execution' | 'parent'>;
	operation: string;
	workflow: string;
	/** Called if the log does not show what became of an image. */
	onMissing: (label: string, failure: Failure) => void;
}
