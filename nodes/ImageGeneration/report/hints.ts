import type { NodeExecutionHint } from 'n8n-workflow';

import type { SkippedFile } from '../types';

const MOST_NAMES = 5;

/** What n8n shows above the output; empty if there is nothing to say. */
export function hintsFor(skipped: readonly SkippedFile[]): NodeExecutionHint[] {
	if (skipped.length === 0) return [];
	const names = skipped.slice(0, MOST_NAMES).map(({ name }) => name);
	const rest = skipped.length - names.length;
	const listed = `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
	const message =
		skipped.length === 1
			? `1 file was skipped: ${listed} is no image.`
			: `${skipped.length} files were skipped because they are no images: ${listed}.`;
	return [{ message, type: 'info', location: 'outputPane' }];
}
