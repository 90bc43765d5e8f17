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

	/**
	 * Writes what a tool makes to a file.
	 *
	 * @param signal gives it up
	 * @returns a remark for the ledger, if there is one
	 * @throws Refusal 413 or 415 if the image is too large, takes too long or cannot be decoded
	 * @throws GivenUp if the signal aborts
	 */
	async make(tool: Tool, job: Job, file: string, signal: AbortSignal): Promise<string | undefined> {
		const what = job.image ? `image: ${quote(job.image.fileName)}` : 'The picture';
		return await refusing(what, async () => {
			const measure: Request<'measure'> = { name: 'measure', input: [tool, job] };
			const pixels = await this.run(measure, 1, measureMs, signal);
			const make: Request<'make'> = { name: 'make', input: [tool, job, file] };
			return await this.run(make, pixels > largePixels ? maxProcesses : 1, workMs, signal);
		});
	}

	/** Returns a small WebP of a file. @throws Refusal and GivenUp like `make` */
	async shrink(file: string, signal: AbortSignal): Promise<Uint8Array> {
		const shrink: Request<'shrink'> = { name: 'shrink', input: [file] };
		return await refusing('The picture', async () => await this.run(shrink, 1, workMs, signal));
	}

	/** @param room how many processes' room the work needs */
	private async run<Name extends keyof Work>(
		request: Request<Name>,
		room: number,
		timeoutMs: number,
		signal: AbortSignal,
	): Promise<Result<Name>> {
		return await this.room.runExclusive(async () => {
			if (signal.aborted) throw new GivenUp('stopped');
			const process = PictureProcess.take();
			try {
				return await process.run(request, { timeoutMs, signal });
			} finally {
				process.giveBack();
			}
		}, room);
	}
}

/** Refuses work that was given up because of its picture. */
async function refusing<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof GivenUp)) throw error;
		switch (error.reason) {
			case 'too slow':
				throw new Refusal(413, `${what} takes too long to process.`);
			case 'too large':
				throw new Refusal(413, `${what} takes too much memory to process.`);
			case 'crashed':
				throw new Refusal(415, `${what} cannot be decoded; it may be damaged.`);
			case 'stopped':
				throw error;
		}
	}
}
