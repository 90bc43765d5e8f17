import type { InputFile } from '../../nodes/ImageGeneration/images/imageFile';
import { cutFilesHint } from '../../nodes/ImageGeneration/report/cutFiles';
import type { JobOutcome } from '../../nodes/ImageGeneration/types';
import { invalidJob, jobWith, resultOf } from '../support/jobs';

/** A job that has sent a file. */
function sent(file: Partial<InputFile>, itemIndex: number, copy?: number): JobOutcome {
	const request = { model: 'background-remover', textParts: {}, file: file as InputFile };
	const job = jobWith({ itemIndex, label: `${itemIndex}.jpg`, request, ...(copy && { copy }) });
	return { job, outcome: { value: { result: resultOf('a') } } };
}

it('a file without its end is named once, whatever came of it and however many copies it has', () => {
	const [cut, other] = [{ lacksEnd: true as const }, { lacksEnd: true as const }];
	const failure = { kind: 'not started' } as const;
	const outcomes: JobOutcome[] = [
		sent(cut, 0, 1),
		sent(cut, 0, 2),
		sent({}, 1),
		{ ...sent(other, 2), outcome: { failure } },
		{ job: invalidJob(failure), outcome: { failure } },
	];

	expect(cutFilesHint(outcomes)).toBe(
		'2 input files have no end, so parts of their images may be missing: Item 1, "0.jpg" and Item 3, "2.jpg". Upload or download them again.',
	);
	expect(cutFilesHint([sent({}, 0)])).toBe('');
});
