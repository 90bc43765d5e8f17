import { isJobResult, referenceTo } from '../service/jobResults';
import type { JobResult } from '../types';

/** A paid request and what came of it: one shape in memory, in the execution, in the Purchase Log and in messages. */
export interface Purchase {
	/** Its name everywhere. */
	entry: string;
	/** Identifies what was asked for. */
	request: string;
	/** SHA-256 of the uploaded file; empty without one, or until it has been read to its end. */
	file: string;
	/** Identifies the workflow and the node. */
	node: string;
	/** The index of the run that has it, such as the round of a loop. */
	round: number;
	/** Whether it was bought in the editor. */
	isManual: boolean;
	/** The execution that bought it; for people, and never changed. */
	execution: string;
	/** The execution whose run has the image; empty if nobody has. */
	holder: string;
	/** When the request went out, in milliseconds since 1970. */
	time: number;
	/** Missing while the request is under way, and if its outcome is unclear. */
	result: JobResult | undefined;
	/** The columns for people. */
	shown: {
		/** Names the row, such as `Item 3, "a red fox"`. */
		image: string;
		operation: string;
		/** The version of the generator, and the resolution (sections 4.1 and 4.3). */
		quality: string;
		/** Such as `1024x1024`. */
		size: string;
		workflow: string;
	};
	/** The service and key, and the credential that it was bought with. Only in memory. */
	accounts: readonly string[];
	/** Identifies the tool and the text parts. Only in memory. */
	instruction: string;
	/** 1, or more if it was made from a result of this node. Only in memory. */
	generation: number;
	/** The file that a run has put out. Only in memory. */
	output?: { size: number; sha256: string };
	/** Its rows in a Purchase Log; undefined if it has none, or nobody knows. Only in memory. */
	logged?: LoggedRows | undefined;
}

/** The rows of a purchase in a table. A new row replaces the old ones, so there may be several for a moment. */
export interface LoggedRows {
	/** n8n's id of the table. */
	table: string;
	/** The newest first, which counts. */
	rowIds: readonly number[];
}

/** What two readers know of the rows of a purchase. The later one knows the table that is in use now. */
export function mergeRows(
	earlier: LoggedRows | undefined,
	later: LoggedRows | undefined,
): LoggedRows | undefined {
	if (earlier === undefined || later === undefined) return later ?? earlier;
	if (earlier.table !== later.table) return later;
	const rowIds = new Set([...earlier.rowIds, ...later.rowIds]);
	return { table: later.table, rowIds: [...rowIds].sort((one, other) => other - one) };
}

/** A purchase whose result is known. */
export interface BoughtPurchase extends Purchase {
	result: JobResult;
}

export function isBought(purchase: Purchase): purchase is BoughtPurchase {
	return purchase.result !== undefined;
}

/** Characters of JSON; a job result has about 200. */
const LONGEST_RESULT = 10_000;

/** The part of a result that is remembered: all of it, or its id and link if it is very long. */
export function storable(result: JobResult): JobResult {
	if (JSON.stringify(result).length <= LONGEST_RESULT) return result;
	return { ...referenceTo(result), output_url: result.output_url };
}

/** The result in a text of JSON, if it is one. */
export function parseResult(text: string): JobResult | undefined {
	try {
		const parsed = JSON.parse(text) as unknown;
		return isJobResult(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}
