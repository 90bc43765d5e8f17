import type { RowOutcome, SkippedFile } from '../types';
import { listed } from '../values/text';

/** Files that a hint names. */
const MOST = 5;

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
		one: 'is a tracking pixel, smaller than 100 bytes',
		several: 'are tracking pixels, smaller than 100 bytes',
	},
};

/** Tells which files All Images of the Item left out, and why; empty if there are none. */
export function skippedFiles(outcomes: readonly RowOutcome[]): string {
	// Rows of the same item have the same list.
	const skipped = [...new Set(outcomes.map(({ row }) => row.skipped ?? []))].flat();
	const sentences = Object.entries(REASONS).flatMap(([because, reason]) => {
		const names = skipped.filter((file) => file.because === because).map(({ name }) => name);
		if (names.length === 0) return [];
		return names.length === 1
			? `1 file was skipped: ${names.join()} ${reason.one}.`
			: `${names.length} files were skipped because they ${reason.several}: ${listed(names, '', MOST)}.`;
	});
	return sentences.join(' ');
}
