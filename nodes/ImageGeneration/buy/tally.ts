/** Counts what a run buys. */
export interface Tally {
	/** Images that this run bought. */
	paid: number;
	/** Reused images whose link was gone, so that this run bought them anew. */
	renewed: number;
	/** What the service returned instead of a plain job result, for each image found in it. */
	unusual: string[];
	/** Why rows of the Purchase Log could not be written. */
	unlogged: unknown[];
}

export function newTally(): Tally {
	return { paid: 0, renewed: 0, unusual: [], unlogged: [] };
}
