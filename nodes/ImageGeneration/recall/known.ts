import type { Outcome } from '../failures/failures';
import type { Job, JobResult } from '../types';
import type { Origin } from './executionMemory';
import type { Offer } from './offers';
import type { Purchase } from './purchase';

/** A job's outcome that is known before anything is bought. */
export interface Known {
	outcome: Outcome<JobResult>;
	from: Origin;
	/** The name of its purchase, if the execution's memory has it. */
	entry?: string;
	/** The purchase of another run that this one uses. */
	purchase?: Purchase;
	/** The same as it was read, if the run has to take it before it has it. */
	toTake?: Offer;
}

/** An image of another run that a job uses. */
export interface Found extends Known {
	purchase: Purchase;
}

/** The result of looking for images that are there. */
export interface Recalled {
	known: Map<Job, Known>;
	/** The requests under way whose answers nobody has yet. */
	awaited: Map<Job, Purchase>;
}

/** What a run has to take before it has it. */
export function offersToTake({ known }: Recalled): Map<Job, Offer> {
	const offers = new Map<Job, Offer>();
	for (const [job, { toTake }] of known) if (toTake !== undefined) offers.set(job, toTake);
	return offers;
}
