import type { Failure } from '../../nodes/ImageGeneration/failures/failures';
import type { InvalidJob, Job } from '../../nodes/ImageGeneration/types';

/** A valid job with the prompt "A fox". */
export function jobWith(more: Partial<Job> = {}): Job {
	return {
		itemIndex: 0,
		label: 'A fox',
		includesInput: false,
		keys: ['a job'],
		request: { model: 'text2img', fields: { text: 'A fox' } },
		fileName: 'a-fox',
		outputField: 'data',
		options: {
			allowOtherHosts: false,
			fileName: '',
			includeInputFields: false,
			maxRetries: 3,
			retryUnclearOutcome: false,
			timeout: 600,
		},
		...more,
	};
}

/** A job that cannot be bought. */
export function invalidJob(problem: Failure, more: Partial<InvalidJob> = {}): InvalidJob {
	return { itemIndex: 0, label: '', includesInput: false, problem, ...more };
}
