/** What a run costs, counted while it goes. */
export interface Tally {
	/** Images bought by this attempt. */
	paid: number;
	/** Images that an earlier attempt of the execution had bought. */
	takenOver: number;
	/** Images that an earlier manual run had bought. */
	reused: number;
	/** Images bought although an earlier manual run had bought the very same request. */
	paidAgain: number;
}

export function newTally(): Tally {
	return { paid: 0, takenOver: 0, reused: 0, paidAgain: 0 };
}
