import type { PriceName, Tool } from '../catalog';
import type { Upload } from '../types';
import type { Parameter } from './parameters';

/** A call whose parameters are valid. */
export interface Job {
	/** The parameters that this call uses, with defaults applied. */
	settings: Record<string, string>;
	/** Always set for a tool with the parameter `image`. */
	image: Upload | undefined;
}

/** A tool of the service (specification 4). */
export interface ToolDefinition {
	id: Tool;
	/** Checked in this order. */
	parameters: readonly Parameter[];
	/** The price of each call; default: that of its version, or standard if it has none. */
	price?: PriceName;
	/** What it makes. */
	output: { mimeType: string; extension: string };
	/**
	 * Writes the output to a file.
	 *
	 * @returns a remark for the ledger, if there is one
	 */
	make(job: Job, file: string): Promise<string | undefined>;
}

/** Returns the job's image. @throws Error if the tool has no parameter `image` */
export function imageOf(job: Job): Upload {
	if (!job.image) throw new Error('This tool was run without an image.');
	return job.image;
}
