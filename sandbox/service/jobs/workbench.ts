import { Semaphore } from 'async-mutex';
import type { Tool } from '../../catalog';
import type { Work } from '../../pictures/work';
import type { Job } from '../../tools/tool';
import { quote, Refusal } from '../http/refusal';
import { GivenUp, PictureProcess, type Request, type Result } from './pictureProcess';

/** How many processes work with pictures at once. A large picture is made alone. */
const maxProcesses = 2;
const largePixels = 2_000_000;

/** How long reading an image's header may take. */
const measureMs = 4000;
/** How long work with a picture may take. With `measureMs`, no file holds up others for 20 seconds. */
const workMs = 15_000;

/** Works with pictures in processes of its own, and limits how many do so at once. */
export class Workbench {
	private readonly room = new Semaphore(maxProcesses);
	private readonly closed = new AbortController();

	/**
	 * Writes what a tool makes to a file.
	 *
	 * @param signal gives it up
	 * @returns a remark for the ledger, if there is one
	 * @throws Refusal 413 or 415 if the image is too large, takes too long or cannot be decoded
	 * @throws GivenUp if the signal aborts
	 */
	async make(tool: Tool, job: Job, file: string, signal: AbortSignal): Promise<string | undefined> {
		try {
			const measure: Request<'measure'> = { name: 'measure', input: [tool, job] };
			const pixels = await this.run(measure, 1, measureMs, signal);
			const make: Request<'make'> = { name: 'make', input: [tool, job, file] };
			return await this.run(make, pixels > largePixels ? maxProcesses : 1, workMs, signal);
		} catch (error) {
			throw error instanceof GivenUp ? (refusalOf(error, job) ?? error) : error;
		}
	}

	/** Returns a small WebP of a file. @throws Refusal 415 if it is not a readable image */
	async shrink(file: string, signal: AbortSignal): Promise<Uint8Array> {
		return await this.run({ name: 'shrink', input: [file] }, 1, workMs, signal);
	}

	/** Ends all work at once. */
	close(): void {
		this.closed.abort();
	}

	/** @param room how many processes' room the work needs */
	private async run<Name extends keyof Work>(
		request: Request<Name>,
		room: number,
		timeoutMs: number,
		signal: AbortSignal,
	): Promise<Result<Name>> {
		const ended = AbortSignal.any([signal, this.closed.signal]);
		return await this.room.runExclusive(async () => {
			if (ended.aborted) throw new GivenUp('stopped');
			const process = PictureProcess.take();
			try {
				return await process.run(request, { timeoutMs, signal: ended });
			} finally {
				process.giveBack();
			}
		}, room);
	}
}

/** How to refuse a job whose work was given up; undefined if nobody waits for it any more. */
function refusalOf({ reason }: GivenUp, { image }: Job): Refusal | undefined {
	const what = image ? `image: ${quote(image.fileName)}` : 'The picture';
	switch (reason) {
		case 'too slow':
			return new Refusal(413, `${what} takes too long to process.`);
		case 'too large':
			return new Refusal(413, `${what} takes too much memory to process.`);
		case 'crashed':
			return new Refusal(415, `${what} cannot be decoded; it may be damaged.`);
		case 'stopped':
			return undefined;
	}
}
