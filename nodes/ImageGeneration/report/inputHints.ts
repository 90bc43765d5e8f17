import type { Job, PlannedJob, SkippedFile } from '../types';
import { placeName, quotedLabel } from '../values/placeName';
import { listed } from '../values/text';

/** Files, items or groups that a hint names. */
const MOST = 5;

/** What a person may not have meant, in sentences: a Dry Run and a real one tell of it alike. */
export function inputHints(jobs: readonly PlannedJob[]): string[] {
	return [...blankHints(jobs), ...sameImageHints(jobs)];
}

/** Tells which files All Images of the Item left out, and why; empty if there are none. */
export function skippedFiles(jobs: readonly PlannedJob[]): string {
	// Jobs of the same item have the same list.
	const skipped = [...new Set(jobs.map((job) => job.skipped ?? []))].flat();
	const sentences = Object.entries(REASONS).flatMap(([because, reason]) => {
		const names = skipped.filter((file) => file.because === because).map(({ name }) => name);
		if (names.length === 0) return [];
		return names.length === 1
			? `1 file was skipped: ${names.join()} ${reason.one}.`
			: `${names.length} files were skipped because they ${reason.several}: ${listed(names, '', MOST)}.`;
	});
	return sentences.join(' ');
}

const REASONS: Record<SkippedFile['because'], { one: string; several: string }> = {
	'not an image': {
		one: 'is not an image',
		several: 'are not images',
	},
	'same image': {
		one: 'is the same image as another file of its item',
		several: 'are the same images as other files of their items',
	},
	'tracking pixel': {
		one: 'is a tracking pixel, at most 2 × 2 pixels large',
		several: 'are tracking pixels, at most 2 × 2 pixels large',
	},
};

/** Tells which expressions found nothing in texts that have more. */
function blankHints(jobs: readonly PlannedJob[]): string[] {
	const places = new Map<string, Set<string>>();
	for (const job of jobs) {
		for (const blank of job.texts?.blanks ?? []) {
			const items = places.get(blank) ?? new Set();
			places.set(blank, items.add(itemName(job)));
		}
	}
	return [...places]
		.slice(0, MOST)
		.map(([blank, items]) => `${blank} found nothing for ${listed([...items], '', MOST)}.`);
}

/** Tells which items ask for the same image although an expression could give each its own. */
function sameImageHints(jobs: readonly PlannedJob[]): string[] {
	const groups = new Map<string, Job[]>();
	for (const job of jobs) {
		const request = 'problem' in job ? undefined : requestOf(job);
		if ('problem' in job || request === undefined) continue;
		const group = groups.get(request) ?? [];
		group.push(job);
		groups.set(request, group);
	}
	const same = [...groups.values()].filter((group) => itemsOf(group).size > 1);
	const [first] = same.sort((a, b) => b.length - a.length);
	const [job] = first ?? [];
	if (first === undefined || job === undefined) return [];
	const count = same.reduce((sum, group) => sum + itemsOf(group).size, 0);
	const numbers = [...itemsOf(first)].map((index) => String(index + 1));
	const example = `such as items ${listed(numbers, '', MOST)}${quotedLabel(job)}`;
	const fields = listed(job.texts?.fields ?? [], '', MOST);
	return [
		`${count} items ask for exactly the same image as another item, ${example}. If each should have its own, check the expressions in ${fields}.`,
	];
}

/**
 * What a job sends. Files are the same if they begin alike and have the same size.
 * @returns undefined if the same request is no sign of a wrong field
 */
function requestOf({ request, texts, copy = 1 }: Job): string | undefined {
	const { model, textParts, file } = request;
	const isFilled = texts !== undefined && texts.fields.length > 0;
	if (!isFilled || textParts.text === undefined || copy > 1) return undefined;
	return JSON.stringify([model, textParts, file?.size, file?.start]);
}

function itemsOf(jobs: readonly Job[]): Set<number> {
	return new Set(jobs.map(({ itemIndex }) => itemIndex));
}

/** Names a job's item, without its copy. */
function itemName({ itemIndex, label, includesInput }: PlannedJob): string {
	return placeName({ itemIndex, label, includesInput });
}
