import type { Tool } from '../catalog';
import { tools } from '../tools';
import type { Job, ToolDefinition } from '../tools/tool';
import { pixelsOf } from './decode';
import { readHeic } from './heic';
import { shrink } from './shrink';

/** The work that a picture process does, by name. */
export const work = {
	/**
	 * Returns how many pixels a job holds in memory at once.
	 *
	 * @throws Refusal 413 or 415 for the image
	 */
	measure: async (tool: Tool, job: Job): Promise<number> => {
		const definition = definitionOf(tool);
		if (definition.pixels) return await definition.pixels(job);
		return job.image ? await pixelsOf(job.image) : 1;
	},

	/** Makes what the tool makes; see `ToolDefinition.make`. */
	make: async (tool: Tool, job: Job, file: string): Promise<string | undefined> => {
		const image = job.image && (await readHeic(job.image));
		return await definitionOf(tool).make({ settings: job.settings, image }, file);
	},

	/** Returns a small WebP of a file for the page. @throws Refusal 415 if it is not an image */
	shrink,
};

export type Work = typeof work;

function definitionOf(id: Tool): ToolDefinition {
	const found = tools.find((tool) => tool.id === id);
	if (!found) throw new Error(`There is no tool ${id}.`);
	return found;
}
