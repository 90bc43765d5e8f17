import type { JobPlace } from '../types';

const LONGEST_LABEL = 40;

/** Names a job for users, counting from 1: `Item 3, "a red fox", copy 2`. */
export function placeName({ itemIndex, label, copy }: JobPlace): string {
	const name = label.slice(0, 200).replace(/\s+/g, ' ').trim();
	const short = name.length > LONGEST_LABEL ? `${name.slice(0, LONGEST_LABEL - 1)}…` : name;
	return [
		`Item ${itemIndex + 1}`,
		...(short === '' ? [] : [`"${short}"`]),
		...(copy === undefined ? [] : [`copy ${copy}`]),
	].join(', ');
}
