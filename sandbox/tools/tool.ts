import type { Made } from '../service/files';
import type { Upload } from '../service/form';
import type { PriceName, Tool } from '../types';
import type { Parameter } from './parameters';

/** A call whose parameters are in order. */
export interface Job {
	/** Every parameter that counts for this call, defaults filled in. */
	settings: Record<string, string>;
	/** The image, on disk; always there for a tool that has the parameter `image`. */
	image: Upload | undefined;
}

/** One of the service's tools: its parameters (specification 4) and what it makes. */
export interface ToolDefinition {
	id: Tool;
	/** In the order in which they are checked. */
	parameters: readonly Parameter[];
	/** What a call with these settings costs by. */
	price(settings: Record<string, string>): PriceName;
	/** Pixels that the work holds in memory at once. @throws Refusal 413 or 415 for the image. */
	pixels(job: Job): number | Promise<number>;
	/** @throws Refusal 415 when the image cannot be decoded. */
	make(job: Job): Promise<Made>;
}

/** The job's image. @throws Error when the tool has no parameter `image`. */
export function imageOf(job: Job): Upload {
	if (!job.image) throw new Error('This tool was run without an image.');
	return job.image;
}
