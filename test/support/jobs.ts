import { Failed, type Failure, type Outcome } from '../../nodes/ImageGeneration/failures/failures';
import type { Job, JobPlace, JobResult } from '../../nodes/ImageGeneration/types';

/** The options of an item if none is added. */
export const DEFAULT_OPTIONS: Job['options'] = {
	fileName: '',
	includeInputFields: false,
	timeout: 600,
};

/** A valid job with the prompt "A fox". */
export function jobWith(more: Partial<Job> = {}): Job {
	return {
		itemIndex: 0,
		label: 'A fox',
		includesInput: false,
		keys: ['a job'],
		request: { model: 'text2img', textParts: { text: 'A fox' } },
		fileName: { stem: 'a-fox', isMarked: true },
		outputField: 'data',
		options: DEFAULT_OPTIONS,
		...more,
	};
}

/** A job that cannot be bought. */
export function invalidJob(problem: Failure, more: Partial<JobPlace> = {}) {
	return { itemIndex: 0, label: '', includesInput: false, problem, ...more };
}

/** A job with this prompt, known by it. */
export function jobFor(text: string, more: Partial<Job> = {}): Job {
	const request = { model: 'text2img', textParts: { text } };
	return jobWith({ keys: [`0.${text}`], request, ...more });
}

export const OWL = jobFor('Owl');
export const FOX = jobFor('Fox');

export function resultOf(id: string): JobResult {
	return { id, output_url: `https://example.com/${id}` };
}

/** The id of what is known of a job, or the message of its failure. */
export function shown(outcome: Outcome<JobResult> | undefined) {
	if (outcome === undefined) return undefined;
	return 'value' in outcome ? outcome.value.id : new Failed(outcome.failure).message;
}
