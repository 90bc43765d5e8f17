import type { IBinaryData } from 'n8n-workflow';

import type { Failure, Outcome } from './failures/failures';
import type { ItemOptions } from './fields/options';
import type { InputFile } from './images/imageFile';
import type { PlannedName } from './images/outputName';

/** The content of one paid request (section 4). */
export interface JobRequest {
	/** The model id, the last segment of the path (section 1). */
	model: string;
	/** The text parts, named as in the specification. */
	textParts: Record<string, string>;
	/** The file part `image`. */
	file?: InputFile;
}

/** Identifies a job's place in the output. */
export interface JobPlace {
	/** Index of the input item. */
	itemIndex: number;
	/** Field name or address of the input image, if Image Source can select several. */
	source?: string | undefined;
	/** Counts from 1, if 'Number of Images' is above 1. */
	copy?: number;
	/**
	 * The prompt, the input file's name, or the last segment of its address, without what the labels of a run have in common
	 * at their beginning; empty if there is none.
	 */
	label: string;
	/** Whether the output item includes the input item's fields and files. */
	includesInput: boolean;
	/** Files that All Images of the Item left out: one list for all jobs of the item. */
	skipped?: readonly SkippedFile[];
	/** How expressions filled in the texts of the item, if any did: the same for all jobs of the item. */
	texts?: FilledTexts | undefined;
}

/** A file that All Images of the Item left out. */
export interface SkippedFile {
	name: string;
	because: 'not an image' | 'same image' | 'tracking pixel';
}

/** How expressions filled in the texts of an item. */
export interface FilledTexts {
	/** Those that are sent, such as `'Prompt'`. */
	fields: readonly string[];
	/** The expressions that found nothing, such as `{{ $json.color }} in 'Prompt'`. */
	blanks: readonly string[];
}

/** One image to buy, checked and ready to send. */
export interface Job extends JobPlace {
	/**
	 * Any of these identifies it in the execution, even if expressions return other values next time.
	 * Jobs that differ only in their order, such as two fields with the same file, have equal keys.
	 */
	keys: string[];
	request: JobRequest;
	fileName: PlannedName;
	/** Output field for the image; undefined if it is not downloaded. */
	outputField: string | undefined;
	options: ItemOptions;
	/** The job whose purchase it shares: an equal request of Remove Background. */
	sameAs?: Job;
}

/** A job, or one that can't be sent because of its parameters or its file. */
export type PlannedJob = Job | (JobPlace & { problem: Failure });

/** The result of a finished job, or what Dry Run says of it, and its image if it was downloaded. */
export interface FinishedJob {
	result: Record<string, unknown>;
	image?: IBinaryData | undefined;
	/** Set if the image has no end, and the service has no more of it. */
	mayBeIncomplete?: true;
}

/** A planned job with its result, or with the reason why there is none. */
export interface JobOutcome {
	job: PlannedJob;
	outcome: Outcome<FinishedJob>;
}

/**
 * The service's job result, unchanged (section 2.1). The node does not require its `id`: an image
 * without one was still paid for.
 */
export interface JobResult {
	output_url: string;
	[field: string]: unknown;
}
