import type { Images, Job } from '../../job.mjs';

/** A way to process images. */
export interface Contender {
	/** Prepares a batch. Not measured. */
	prepare(count: number, images: Images): Batch;
}

/** Items that are ready to process. */
export interface Batch {
	/** Processes the items. Measured; can be called again. */
	run(): Promise<void>;
	/** Returns the sizes of the resulting images, in order. */
	sizes(): Promise<number[]>;
}

export type StartContender = (job: Job) => Promise<Contender>;

/** The sandbox's API key. */
export const apiKey = 'test-key';
