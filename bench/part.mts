import { formatSummary, type Summary } from './summary.mjs';

/** A part of the benchmark: the results and whether they meet their goals. */
export interface Part {
	title: string;
	/** What is measured and how. */
	about: string;
	head: string[];
	rows: string[][];
	goals: Goal[];
	chart: Chart;
}

export interface Goal {
	/** The goal in words, e.g. `÷ bare node: at most 1.05`. */
	wanted: string;
	/** The result. */
	found: string;
	met: boolean;
	/** Whether all rounds agree that the goal is met, or that it is missed. */
	isClear: boolean;
}

/** A bar chart. */
export interface Chart {
	title: string;
	/** Appended to each number. */
	unit: string;
	digits: number;
	bars: Array<{ name: string; value: number; isOurs: boolean }>;
}

/** How thorough a run is. */
export interface Effort {
	/** Rounds for measurements that take long and hardly vary. */
	few: number;
	/** Rounds for other measurements that take long. */
	some: number;
	/** Rounds for all others. */
	many: number;
	/** Skips what takes minutes. */
	quick: boolean;
}

/** @param max largest median that meets the goal */
export function goal(wanted: string, found: Summary, max: number, digits = 2): Goal {
	return {
		wanted,
		found: formatSummary(found, digits),
		met: found.median <= max,
		isClear: found.max <= max || found.min > max,
	};
}
