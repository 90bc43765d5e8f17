/** Several measurements of the same thing. */
export interface Summary {
	median: number;
	min: number;
	max: number;
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
	return {
		median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
		min: at(0),
		max: at(sorted.length - 1),
	};
}

/** Summarizes the ratios of values from the same round, which other load affected alike. */
export function summarizeRatios(values: readonly number[], to: readonly number[]): Summary {
	return summarize(values.map((value, round) => value / (to[round] ?? NaN)));
}

/** Formats a summary as the median with the minimum and maximum in brackets. */
export function formatSummary({ median, min, max }: Summary, digits: number): string {
	return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
