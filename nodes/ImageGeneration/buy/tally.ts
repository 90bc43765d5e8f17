/** What a run costs, counted while it goes. */
export interface Tally {
	/** Images bought by this attempt. */
	paid: number;
	/** Images that an earlier attempt of the execution had bought. */
	takenOver: number;
	/** Images that a run had bought which was stopped before it could deliver them. */
	fromStopped: number;
	/** Images that an earlier manual run had bought. */
	reused: number;
	/** Images bought although an earlier manual run had bought the very same request. */
	paidAgain: number;
	/** What came in place of a plain job result, for each image that was read out of it. */
	unusual: string[];
}

export function newTally(): Tally {
	return { paid: 0, takenOver: 0, fromStopped: 0, reused: 0, paidAgain: 0, unusual: [] };
}
