/** How often a request is sent again that costs nothing, besides those that were too many. */
export const MOST_RETRIES = 3;

/** In milliseconds. */
const FIRST_WAIT = 1000;
const LONGEST_ASKED_WAIT = 5 * 60_000;

/**
 * The wait before a retry, in milliseconds: doubles from one second. Half of it is jitter, so that parallel
 * jobs do not all retry at once.
 * @param retries How many there were before.
 * @param asked How long the service asks to wait, which holds up to five minutes.
 */
export function retryWait(retries: number, asked: number | undefined): number {
	if (asked !== undefined) return Math.min(asked, LONGEST_ASKED_WAIT);
	const full = FIRST_WAIT * 2 ** retries;
	return full / 2 + (Math.random() * full) / 2;
}
