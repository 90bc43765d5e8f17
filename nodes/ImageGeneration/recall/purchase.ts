import { isJobResult, referenceTo } from '../service/jobResults';
import type { JobResult } from '../types';

/**
 * The states of a purchase:
 * ```
 * sent ──→ bought ──→ delivered
 *   └─────────┴───────────┴────→ left ──→ bought, by another run that takes it
 * ```
 * If their execution did not end well, `bought` and `delivered` are taken as well.
 * A request that was definitely not charged leaves no purchase.
 */
export const STATES = [
	/** The request is out, or its outcome is unclear. */
	'sent',
	/** The result is there, and the run goes on. */
	'bought',
	/** In the output of its run, at least its link. */
	'delivered',
	/** No run goes on with it, and no execution ended well with it. */
	'left',
] as const;

export type PurchaseState = (typeof STATES)[number];

/** A paid request and what came of it, in memory, in the Purchase Log and in messages. */
export interface Purchase {
	/** Its name everywhere. */
	entry: string;
	/** The service and key, and the credential that it was bought with. Only in memory. */
	accounts: readonly string[];
	/** Identifies the workflow and the node. */
	node: string;
	/** Identifies what was asked for, as far as planning knows; empty if the image is gone. */
	request: string;
	/** SHA-256 of the uploaded file; empty without one, or if it has not been read to its end. */
	file: string;
	/** The execution that has the image, or asked for it; empty in n8n's Agents. */
	execution: string;
	/** The execution that runs this one as a sub-workflow; empty if there is none. */
	parent: string;
	/** The run that has the image, or asked for it. Begins with the name of its n8n process. */
	run: string;
	/** When the request went out, in milliseconds since 1970. */
	time: number;
	state: PurchaseState;
	/** Whether people have been told of it, because it is unclear or left. */
	told: boolean;
	/** How many further runs have taken it. */
	taken: number;
	result: JobResult | undefined;
	/** The columns for people. */
	shown: {
		/** Names the job, such as `Item 3, "a red fox"`. */
		image: string;
		operation: string;
		/** The version of the generator, and the resolution (sections 4.1 and 4.3). */
		quality: string;
		/** Such as `1024x1024`. */
		size: string;
		workflow: string;
	};
	/** Where a log has it. */
	row?: PurchaseRow;
}

/** A purchase's row in a log. */
export interface PurchaseRow {
	/** The table's id. */
	table: string;
	id: number;
	/** The state that the row says. */
	state: PurchaseState;
	/** When it was last changed, in milliseconds since 1970. */
	changed: number;
}

/** Whether another run has a purchase. A row whose run somebody has cleared is nobody's. */
export function isOfOtherRun(row: Purchase, run: string): boolean {
	return row.run !== '' && row.run !== run;
}

/**
 * Whether another run has taken a purchase from the run that this process knows. A row that was read before this process
 * took it has another run as well, but was taken less often.
 */
export function isTakenFrom({ run, taken }: Purchase, row: Purchase): boolean {
	return isOfOtherRun(row, run) && row.taken > taken;
}

/** A purchase whose result is known. */
export interface BoughtPurchase extends Purchase {
	result: JobResult;
}

export function isBought(purchase: Purchase): purchase is BoughtPurchase {
	return purchase.result !== undefined;
}

/** Whether an execution has a purchase, or asked for it. Without an execution nothing is known of that. */
export function isOfExecution(purchase: Purchase, execution: string): boolean {
	return execution !== '' && purchase.execution === execution;
}

/** The n8n process that a run belongs to. */
export function processOf(run: string): string {
	return run.split('.', 1).join('');
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
