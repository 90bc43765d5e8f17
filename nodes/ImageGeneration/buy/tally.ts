/** Counts what a run buys and reuses. */
export interface Tally {
	/** Images bought by this run. */
	paid: number;
	/** Images bought by an earlier attempt. */
	takenOver: number;
	/** Images bought by a run that was stopped before it delivered them. */
	fromStopped: number;
	/** Images bought by an earlier manual run. */
	reused: number;
	/** Images bought although an earlier manual run had bought the same request. */
	paidAgain: number;
	/** What the service returned instead of a plain job result, for each image found in it. */
	unusual: string[];
}

export function newTally(): Tally {
	return { paid: 0, takenOver: 0, fromStopped: 0, reused: 0, paidAgain: 0, unusual: [] };
}
