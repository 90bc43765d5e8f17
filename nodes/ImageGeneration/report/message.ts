import type { Failure } from '../failures/failures';

/** What users read about a job that was not delivered. */
export interface Message {
	/** What happened; the service's message if it sent one. */
	title: string;
	/** What to do about it. */
	advice: string;
}

/** A failure of one kind. */
export type FailureOf<Kind> = Failure & { kind: Kind };
