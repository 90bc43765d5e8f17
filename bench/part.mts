import { shown, type Summary } from './summary.mjs';

/** A part of the bench: what was measured, and whether it is good enough. */
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
	/** What is wanted, such as `at most 1.05`. */
	wanted: string;
	/** What came out. */
	found: string;
	met: boolean;
	/** Whether every round says the same; if not, the rounds differ by more than what is asked. */
	isClear: boolean;
}

/** Bars of one unit; the first is this package's. */
export interface Chart {
	title: string;
	/** Written behind each number. */
	unit: string;
	digits: number;
	bars: Array<{ name: string; value: number; isOurs: boolean }>;
}

/** How thorough a run is. */
export interface Effort {
	/** How often something is measured that takes long and hardly varies. */
	few: number;
	/** How often something is measured that takes long. */
	some: number;
	/** How often anything else is. */
	many: number;
	/** Leaves out what takes minutes. */
	quick: boolean;
}

/** @param most The median may be this at most. */
export function goal(wanted: string, found: Summary, most: number, digits = 2): Goal {
	return {
		wanted,
		found: shown(found, digits),
		met: found.median <= most,
		isClear: found.most <= most || found.least > most,
	};
}
