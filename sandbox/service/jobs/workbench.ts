import { Semaphore } from 'async-mutex';
import sharp from 'sharp';
import { maxPixels, pixelsOf, reading, workSeconds } from '../../pictures/decode';
import { readHeic } from '../../pictures/heic';
import type { Job, ToolDefinition } from '../../tools/tool';
import { Refusal } from '../http/refusal';

/** How many pictures are made at once. A large one is made alone. */
const maxAtOnce = 2;
const largePixels = 2_000_000;

/** Maximum width of a picture on the page, in pixels. */
const thumbnailWidth = 480;

/** Limits how many pictures are made at once. */
export class Workbench {
	private readonly room = new Semaphore(maxAtOnce);

	/**
	 * Writes what a tool makes to a file.
	 *
	 * @param signal gives it up before it begins, and drops it when it is done
	 * @returns a remark for the ledger, if there is one
	 * @throws Refusal 413 or 415 if the image is too large, takes too long or cannot be decoded
	 */
	async make(
		tool: ToolDefinition,
		job: Job,
		file: string,
		signal: AbortSignal,
	): Promise<string | undefined> {
		const { settings, image } = job;
		const make = async () => {
			const room = (await pixelsFor(tool, job)) > largePixels ? maxAtOnce : 1;
			return await this.take(room, signal, async () => {
				const readable = image && (await readHeic(image));
				return await tool.make({ settings, image: readable }, file);
			});
		};
		return image ? await reading(image, make) : await make();
	}

	/** Returns a small WebP of a file for the page. @throws Refusal 415 if it is not an image */
	async shrink(file: string, signal: AbortSignal): Promise<Uint8Array> {
		const make = async () =>
			await sharp(file, { limitInputPixels: maxPixels })
				.timeout({ seconds: workSeconds })
				.resize({ width: thumbnailWidth, withoutEnlargement: true })
				.webp({ quality: 80 })
				.toBuffer()
				.catch(() => {
					throw new Refusal(415, 'The file of this job is not a readable image.');
				});
		return await this.take(1, signal, make);
	}

	private async take<Value>(
		room: number,
		signal: AbortSignal,
		make: () => Promise<Value>,
	): Promise<Value> {
		return await this.room.runExclusive(async () => {
			signal.throwIfAborted();
			const made = await make();
			signal.throwIfAborted();
			return made;
		}, room);
	}
}

/** How many pixels the work holds in memory at once. @throws Refusal 413 or 415 for the image */
async function pixelsFor(tool: ToolDefinition, job: Job): Promise<number> {
	if (tool.pixels) return await tool.pixels(job);
	return job.image ? await pixelsOf(job.image) : 1;
}
