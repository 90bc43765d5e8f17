import type { IBinaryData, INodeProperties } from 'n8n-workflow';

import type { Outcome } from './failures/outcome';
import type { ItemOptions } from './fields/options';
import type { StreamedFile } from './images/streamedFile';

/** An image that goes out as a file: from n8n's storage, or from a `data:` address. */
export type ImageSource =
	| { kind: 'binary'; binary: IBinaryData }
	| { kind: 'dataUrl'; mimeType: string; base64: string };

/** One paid call: nothing but what goes out (section 4). */
export interface JobRequest {
	/** The model id, the last segment of the path (section 1). */
	model: string;
	/** The text parts, by the names of the specification. */
	fields: Record<string, string>;
	/** The file part `image`. */
	file?: StreamedFile;
}

/** Which image of the output a job is for. */
export interface JobPlace {
	/** Index of the input item. */
	itemIndex: number;
	/** Field or address of the input image, where Image Source may give several. */
	source?: string;
	/** Counts from 1, where 'Number of Images' is above 1. */
	copy?: number;
	/** A few words of the prompt, or the name of the input file. */
	label: string;
	/** Whether its output item keeps the fields and files of the input item. */
	includesInput: boolean;
}

/** One image to buy, checked and ready to go out. */
export interface Job extends JobPlace {
	/** Tells the job from all others of the execution, whatever its expressions give next time. */
	key: string;
	request: JobRequest;
	/** Name of the image file; its extension follows the image's real type. */
	fileName: string;
	/** Where the image goes in the output; undefined if it is not downloaded. */
	outputField: string | undefined;
	options: ItemOptions;
}

/** An image that can't be bought: its parameters or its file are no good. */
export interface InvalidJob extends JobPlace {
	failure: unknown;
}

export type PlannedJob = Job | InvalidJob;

/** What is known of a planned job: the service's job result, or why there is none. */
export interface Purchase {
	job: JobPlace;
	outcome: Outcome<JobResult>;
}

/** A job that was bought, and its image if it was to be downloaded. */
export interface Delivery {
	result: JobResult;
	image: IBinaryData | undefined;
}

/** A file of an item that was left out because it is no image. */
export interface SkippedFile {
	itemIndex: number;
	name: string;
}

/**
 * The service's job result, untouched (section 2.1). Its `id` is not relied on: an image that came
 * without one is paid for all the same.
 */
export interface JobResult {
	output_url: string;
	[field: string]: unknown;
}

/** What n8n's log says about a job while the node runs. */
export interface ExecutionLog {
	/** Records a call that was paid for, or that names a job. */
	purchase(job: JobPlace, outcome: Outcome<JobResult>): void;
	/** Says that an attempt follows in `ms` milliseconds, and why. */
	retry(job: JobPlace, ms: number, failure: unknown): void;
	/** Says that the service has all calls wait for `ms` milliseconds, and why. */
	hold: (ms: number, failure: unknown) => void;
}

/** A parameter of the node whose name the compiler knows. */
export type Field<Name extends string = string> = INodeProperties & { name: Name };

/** The names of a list of fields. */
export type NameOf<Fields extends readonly Field[]> = Fields[number]['name'];

/** Reads a parameter of one item; the item's index is bound, so no value leaks to another item. */
export type ReadParameter<Name extends string = string> = (name: Name) => unknown;
