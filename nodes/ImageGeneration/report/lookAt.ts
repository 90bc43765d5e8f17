import type { Batch } from '../buy/batch';
import type { Failure } from '../failures/failures';
import { namesJob } from '../failures/retryDecision';
import type { Job, RowOutcome } from '../types';
import { placeName, quotedLabel } from '../values/placeName';
import { counted, endSentence, listed } from '../values/text';
import { messageFor } from './messages';

/** Items that a hint names. */
const MOST = 5;

/** What a person must look at, in sentences: of each kind the first case, and how many more there are. */
export function lookAt(batch: Batch): string {
	const sentences = [
		rowsWithoutImage(batch.outcomes),
		madeOnce(batch),
		equalRequests(batch),
		blanks(batch.outcomes),
		unclearBefore(batch),
	];
	return sentences.filter((sentence) => sentence !== '').join(' ');
}

function rowsWithoutImage(outcomes: readonly RowOutcome[]): string {
	const lines = outcomes.flatMap(({ row, outcome }) =>
		'value' in outcome || outcome.failure.kind === 'not started'
			? []
			: [`${placeName(row)}: ${inOneLine(outcome.failure)}`],
	);
	const [first] = lines;
	if (first === undefined) return '';
	return lines.length === 1
		? `1 image is missing. ${first}`
		: `${lines.length} images are missing. The first one is ${first}`;
}

/** A failure with what to do, unless it is about a link, which the row has. */
function inOneLine(failure: Failure): string {
	const { title, advice } = messageFor(failure);
	return namesJob(failure) ? endSentence(title) : `${endSentence(title)} ${advice}`.trim();
}

/** Tells which items ask for one image together. */
function madeOnce({ jobs }: Batch): string {
	const shared = jobs.filter((each) => itemsOf([each]).size > 1);
	const [job] = shared;
	if (job === undefined) return '';
	const { text } = job.request.textParts;
	if (text === undefined) {
		const more = moreGroups(shared.length - 1);
		return `Items ${numbersOf([job])}${more} have the same image, so it is made once for all of them.`;
	}
	const count = itemsOf([job]).size;
	const isEdit = job.request.file !== undefined || job.request.textParts.image !== undefined;
	const field = isEdit ? "'Instruction'" : "'Prompt'";
	return `All ${count} items ask for the same image, so it is made once for all of them. For an image of its own for each item, use a field in ${field}, such as {{ $json.title }}. For more images of the same, use 'Number of Images'.`;
}

/** Tells which items ask for the same image as another one, although each gets its own. */
function equalRequests({ jobs }: Batch): string {
	const groups = new Map<string, Job[]>();
	for (const job of jobs) {
		const { model, textParts, file } = job.request;
		const request = JSON.stringify([model, textParts, file?.size, file?.start, file?.sha256]);
		const group = groups.get(request) ?? [];
		group.push(job);
		groups.set(request, group);
	}
	const same = [...groups.values()].filter((group) => itemsOf(group).size > 1 && group.length > 1);
	const apart = same.filter(([job]) => job !== undefined && itemsOf([job]).size === 1);
	const [first] = apart;
	const row = first?.[0]?.rows[0];
	if (first === undefined || row === undefined) return '';
	const more = moreGroups(apart.length - 1);
	return `Items ${numbersOf(first)}${quotedLabel(row)}${more} ask for the same image, and each gets its own. If that is not meant, check the expressions.`;
}

/** Tells which expressions found nothing in texts that have more. */
function blanks(outcomes: readonly RowOutcome[]): string {
	const places = new Map<string, Set<string>>();
	for (const { row } of outcomes) {
		const { itemIndex, label, includesInput } = row;
		for (const blank of row.blanks ?? []) {
			const items = places.get(blank) ?? new Set();
			places.set(blank, items.add(placeName({ itemIndex, label, includesInput })));
		}
	}
	const [first, ...others] = [...places];
	if (first === undefined) return '';
	const [blank, items] = first;
	const more = others.length === 0 ? '' : ` So did ${others.length} more of the expressions.`;
	return `${blank} found nothing for ${listed([...items], '', 1)}.${more}`;
}

function unclearBefore({ unclearBefore: unclear }: Batch): string {
	const [first] = unclear.values();
	if (first === undefined) return '';
	const more = unclear.size > 1 ? ` and ${unclear.size - 1} more` : '';
	return `An earlier request for the same may have been charged: ${first.shown.image}${more}. Check your account.`;
}

/** Says how many other groups of items there are. */
function moreGroups(count: number): string {
	return count === 0 ? '' : `, and ${counted(count, 'more group')},`;
}

function numbersOf(jobs: readonly Job[]): string {
	const numbers = [...itemsOf(jobs)].map((index) => String(index + 1));
	return listed(numbers, '', MOST);
}

function itemsOf(jobs: readonly Job[]): Set<number> {
	return new Set(jobs.flatMap(({ rows }) => rows.map(({ itemIndex }) => itemIndex)));
}
