import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Semaphore } from 'async-mutex';
import sharp from 'sharp';

// Every picture is worked on once: what the library remembers of it is never asked for again.
sharp.cache(false);

/** Pixels that may be worked on at a time; a larger picture is worked on alone. */
const mostMegapixels = 4;

/** After pictures of this size their memory is given back at once. */
const largeMegapixels = 2;

/** Where pictures are made: as many at a time as memory allows, in the order they came. */
export class Workbench {
	private readonly room = new Semaphore(mostMegapixels);

	/** @param pixels how many the work holds in memory */
	async use<Result>(pixels: number, work: () => Promise<Result>): Promise<Result> {
		const megapixels = Math.ceil(pixels / 1_000_000);
		const share = Math.max(1, Math.min(mostMegapixels, megapixels));
		return await this.room.runExclusive(async () => {
			try {
				return await work();
			} finally {
				if (megapixels >= largeMegapixels) collectGarbage();
			}
		}, share);
	}
}

/** Pixels lie outside V8's heap: left to itself, it lets several dead pictures pile up (Node 20). */
function collectGarbage(): void {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc()');
}
