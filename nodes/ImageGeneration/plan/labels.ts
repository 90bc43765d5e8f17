import type { PlannedJob } from '../types';
import { LONGEST_LABEL } from '../values/placeName';

/** A shorter beginning hides nothing. */
const SHORTEST_START = LONGEST_LABEL / 2;

/**
 * Shortens labels that begin alike to what follows, because messages show only the first characters: to
 * `… blue running shoe on white` instead of `A professional product photo of a blue…`.
 */
export function tellApart(jobs: readonly PlannedJob[]): PlannedJob[] {
	const labels = jobs.map(({ label }) => label).filter((label) => label !== '');
	const { length } = commonStart(labels);
	const isAnyCut = labels.some((label) => label.length > LONGEST_LABEL);
	if (!isAnyCut || length < SHORTEST_START) return [...jobs];
	return jobs.map((job) => {
		const rest = job.label.slice(length).trim();
		return rest === '' ? job : { ...job, label: `… ${rest}` };
	});
}

/** A half of an emoji is none of it. */
const BELONGS_TO_WORD = /[\p{L}\p{M}\p{N}\p{Cs}]/u;

/** What all labels begin with, in whole words; empty if they are all the same. */
function commonStart(labels: readonly string[]): string {
	// In order, the first one and the last one differ the earliest.
	const sorted = [...labels].sort();
	const first = sorted.at(0) ?? '';
	const last = sorted.at(-1) ?? '';
	if (first === last) return '';
	let length = 0;
	while (length < first.length && first[length] === last[length]) length++;
	while (length > 0 && BELONGS_TO_WORD.test(first.charAt(length - 1))) length--;
	return first.slice(0, length);
}
