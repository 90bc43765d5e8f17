import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Semaphore } from 'async-mutex';
import sharp from 'sharp';

// Each picture is processed once, so a cache would only take memory.
sharp.cache(false);

/** How many megapixels to process at once; a larger picture is processed alone. */
const maxMegapixels = 4;

/** Pictures of at least this size are freed as soon as they are done. */
const largeMegapixels = 2;

/** Limits how many pixels are processed at once; further work waits its turn. */
export class Workbench {
	private readonly room = new Semaphore(maxMegapixels);

	/** @param pixels how many pixels the work holds in memory */
	async use<Result>(pixels: number, work: () => Promise<Result>): Promise<Result> {
		const megapixels = Math.ceil(pixels / 1_000_000);
		const share = Math.max(1, Math.min(maxMegapixels, megapixels));
		return await this.room.runExclusive(async () => {
			try {
				return await work();
			} finally {
				if (megapixels >= largeMegapixels) collectGarbage();
			}
		}, share);
	}
}

/** Pixels are outside V8's heap, so V8 lets several unused pictures pile up (Node 20). */
function collectGarbage(): void {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc()');
}
