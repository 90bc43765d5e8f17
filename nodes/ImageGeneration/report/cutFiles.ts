import type { JobOutcome } from '../types';
import { placeName } from '../values/placeName';
import { counted, listed } from '../values/text';

/** Tells which files went out although their end is missing; an empty text if there is none. */
export function cutFilesHint(outcomes: readonly JobOutcome[]): string {
	const files = new Set<object>();
	const places = outcomes.flatMap(({ job }) => {
		if ('problem' in job || job.request.file?.lacksEnd !== true) return [];
		// Its copies have the same file.
		if (files.has(job.request.file)) return [];
		files.add(job.request.file);
		const { itemIndex, label, includesInput } = job;
		return placeName({ itemIndex, label, includesInput });
	});
	if (places.length === 0) return '';
	return places.length === 1
		? `1 input file has no end, so a part of its image may be missing: ${places.join()}. Upload or download it again.`
		: `${counted(places.length, 'input file')} have no end, so parts of their images may be missing: ${listed(places)}. Upload or download them again.`;
}
