import type { IBinaryData } from 'n8n-workflow';

import type { Outcome } from './failures/outcome';

/** The image of a request that goes out as a file: from n8n's storage, or from a `data:` address. */
export type ImageSource =
	| { kind: 'binary'; binary: IBinaryData }
	| { kind: 'dataUrl'; mimeType: string; base64: string };

/** One paid call, as an operation reads it from an item: nothing but what goes out (section 4). */
export interface JobRequest {
	/** The model id, the last segment of the path (section 1). */
	model: 'text2img' | 'background-remover' | 'image-editor';
	/** The text parts, by the names of the specification. */
	fields: Record<string, string>;
	/** The file part `image`, where the image is not given as an address. */
	image?: ImageSource;
	/** What the default file name is made of; the job's id where this is missing. */
	fileName?: { from: string; suffix: string };
}

/**
 * The service's job result, untouched (section 2.1). Its `id` is not relied on: an image that came
 * without one is paid for all the same.
 */
export interface JobResult {
	output_url: string;
	[field: string]: unknown;
}

/** Reads a parameter of one item; the item's index is bound, so no value leaks to another item. */
export type ReadParameter = (name: string) => unknown;

/** What n8n's log says about an item while the node runs. */
export interface ExecutionLog {
	/** Records a call that was paid for, or that names a job. */
	purchase(index: number, outcome: Outcome<JobResult>): void;
	/** Says that an attempt follows in `ms` milliseconds, and why. */
	retry(index: number, ms: number, failure: unknown): void;
}
