import type { Images, Job } from '../../job.mjs';

/** A way to have images worked on. */
export interface Contender {
	/** Makes ready what is run, outside of what is measured. */
	prepare(count: number, images: Images): Batch;
}

/** Items that are ready to be worked on. */
export interface Batch {
	/** The part that is measured. May be called again. */
	run(): Promise<void>;
	/** The sizes of the images that came of it, in order. */
	sizes(): Promise<number[]>;
}

export type StartContender = (job: Job) => Promise<Contender>;

/** The sandbox lets this key in. */
export const apiKey = 'test-key';
