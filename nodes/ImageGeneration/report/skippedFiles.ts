import type { RowOutcome } from '../types';
import { listed } from '../values/text';

/** Files that a hint names. */
const MOST = 5;

/** Tells which files All Images of the Item left out; empty if there are none. */
export function skippedFiles(outcomes: readonly RowOutcome[]): string {
	// Rows of the same item have the same list.
	const names = [...new Set(outcomes.map(({ row }) => row.skipped ?? []))].flat();
	if (names.length === 0) return '';
	return names.length === 1
		? `1 file was skipped: ${names.join()} is not an image.`
		: `${names.length} files were skipped because they are not images: ${listed(names, '', MOST)}.`;
}
