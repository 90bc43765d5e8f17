import { assertReadable, isOfDecoder } from '../pictures/decode';
import type { Job, ToolDefinition } from '../tools/tool';
import { quote, Refusal } from './refusal';

/**
 * Writes what a tool makes to a file.
 *
 * @returns a remark for the ledger, if there is one
 * @throws Refusal 413 or 415 if the image is too large or cannot be decoded
 */
export async function makePicture(
	tool: ToolDefinition,
	job: Job,
	file: string,
): Promise<string | undefined> {
	const { image } = job;
	if (image) await assertReadable(image);
	try {
		return await tool.make(job, file);
	} catch (error) {
		if (!image || !isOfDecoder(error)) throw error;
		throw new Refusal(
			415,
			`image: ${quote(image.name)} cannot be decoded; it may be damaged or cut off.`,
		);
	}
}
