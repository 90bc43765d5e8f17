import type { IBinaryData } from 'n8n-workflow';

import type { Failure, Outcome } from './failures/failures';
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

/** Identifies a row's place in the output. */
export interface JobPlace {
	/** Index of the input item. */
	itemIndex: number;
	/** Field name or address of the input image, if Image Source can select several. */
	source?: string | undefined;
	/** Counts from 1, if 'Number of Images' is above 1. */
	copy?: number;
	/** The prompt, the input file's name, or the last segment of its address; empty if there is none. */
	label: string;
	/** Whether the output item includes the input item's fields and files. */
	includesInput: boolean;
	/** The names of the files that All Images of the Item left out: one list for all rows of the item. */
	skipped?: readonly string[];
	/** The expressions of the item's texts that found nothing, such as `{{ $json.color }} in 'Prompt'`. */
	blanks?: readonly string[];
}

/** A row of the output: one copy of one image of one item. */
export interface Row extends JobPlace {
	/**
	 * Identifies it in the execution: the round, the item, the image, the copy, and the fields of its request as they are
	 * written, even if their expressions return other values next time.
	 */
	key: string;
	fileName: PlannedName;
	/** Output field for the image; undefined if it is not downloaded. */
	outputField: string | undefined;
}

/** A row that can't have an image, because of its parameters or its file. */
export interface InvalidRow extends JobPlace {
	problem: Failure;
}

/** What the rows of one image share before it is bought. */
export interface JobToPlan {
	request: JobRequest;
	/** Whether nothing of the request comes from an item: it has no file, and no expression. */
	isFixed: boolean;
	/** The option Timeout, in seconds. */
	timeout: number;
}

/** One image to buy, checked and ready to send. */
export interface Job extends JobToPlan {
	/** The rows that get it, in order: one, or several that ask for the same image. */
	rows: readonly [Row, ...Row[]];
	/** Identifies what it asks for (recall/requestKey.ts). */
	requestKey: string;
	/** 1, or more if it works on a result of this node (recall/circle.ts). */
	generation: number;
}

/** The result of a row, or what Dry Run says of it, and its image if it was downloaded. */
export interface FinishedRow {
	result: Record<string, unknown>;
	image?: IBinaryData | undefined;
}

/** A row with its result, or with the reason why there is none. */
export interface RowOutcome {
	row: Row | InvalidRow;
	/** Undefined if it is invalid. */
	job: Job | undefined;
	outcome: Outcome<FinishedRow>;
}

/**
 * The service's job result, unchanged (section 2.1). The node does not require its `id`: an image
 * without one was still paid for.
 */
export interface JobResult {
	output_url: string;
	[field: string]: unknown;
}
