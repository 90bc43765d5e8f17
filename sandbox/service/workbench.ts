import { Semaphore } from 'async-mutex';

/** Pixels that may be worked on at a time; a larger picture is worked on alone. */
const mostMegapixels = 16;

/** Where pictures are made: as many at a time as memory allows, in the order they came. */
export class Workbench {
	private readonly room = new Semaphore(mostMegapixels);

	/** @param pixels how many the work holds in memory */
	async use<Result>(pixels: number, work: () => Promise<Result>): Promise<Result> {
		const megapixels = Math.min(mostMegapixels, Math.ceil(pixels / 1_000_000));
		return await this.room.runExclusive(work, Math.max(1, megapixels));
	}
}
