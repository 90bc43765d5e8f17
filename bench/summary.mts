/** Several measurements of the same thing. */
export interface Summary {
	median: number;
	least: number;
	most: number;
}

/** @throws when there are no values. */
export function summaryOf(values: readonly number[]): Summary {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (place: number): number => {
		const value = sorted[place];
		if (value === undefined) throw new Error('Nothing was measured');
		return value;
	};
	const middle = (sorted.length - 1) / 2;
	return {
		median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
		least: at(0),
		most: at(sorted.length - 1),
	};
}

/** The ratios of what was measured in the same round, which other work on the machine strikes alike. */
export function ratiosOf(values: readonly number[], to: readonly number[]): Summary {
	return summaryOf(values.map((value, round) => value / (to[round] ?? NaN)));
}

/** The median, and from where to where the others went. */
export function shown({ median, least, most }: Summary, digits: number): string {
	return `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}
