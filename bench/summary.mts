/** The median of several measurements of the same thing. */
export interface Summary {
	median: number;
	/** Where the true median is, with 95 % confidence; undefined if there are fewer than six values. */
	interval: { low: number; high: number } | undefined;
}

/** @throws Error if there are no values */
export function summarize(values: readonly number[]): Summary {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (index: number): number => {
		const value = sorted[index];
		if (value === undefined) throw new Error('There are no measurements.');
		return value;
	};
	const middle = (sorted.length - 1) / 2;
	const outside = outsideInterval(sorted.length);
	return {
		median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
		interval:
			outside === undefined
				? undefined
				: { low: at(outside), high: at(sorted.length - 1 - outside) },
	};
}

/**
 * How many of the sorted values lie outside the interval, at each end. As in the sign test, which
 * assumes nothing about how measurements are distributed: with nine values, the second to the eighth
 * include the median in 96 % of all cases.
 */
function outsideInterval(count: number): number | undefined {
	let outside: number | undefined;
	let chance = 0;
	let combinations = 1;
	for (let left = 0; left < count; left++) {
		chance += combinations / 2 ** count;
		if (chance > 0.025) break;
		outside = left;
		combinations *= (count - left) / (left + 1);
	}
	return outside;
}

/** Formats a summary as the median with the interval in brackets. */
export function formatSummary({ median, interval }: Summary, digits: number): string {
	if (interval === undefined) return median.toFixed(digits);
	const { low, high } = interval;
	return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}
