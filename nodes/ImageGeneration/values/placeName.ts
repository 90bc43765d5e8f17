import type { JobPlace } from '../types';
import { cut } from './text';

/** Characters of a label that messages show. */
const LONGEST_LABEL = 40;

/** Names a job for users, counting from 1: `Item 3, "a red fox", copy 2`. */
export function placeName(place: JobPlace): string {
	const { itemIndex, copy } = place;
	const numbered = copy === undefined ? '' : `, copy ${copy}`;
	return `Item ${itemIndex + 1}${quotedLabel(place)}${numbered}`;
}

/** A job's words after the number of its item: `, "a red fox"`; empty if there are none. */
export function quotedLabel({ label }: Pick<JobPlace, 'label'>): string {
	const name = label.slice(0, 200).replace(/\s+/g, ' ').trim();
	return name === '' ? '' : `, "${cut(name, LONGEST_LABEL)}"`;
}
