import type { IBinaryData } from 'n8n-workflow';

/** A measurement, made in its own process. */
export interface Job {
	contender: ContenderName;
	/** The service's URL, without a trailing slash. */
	service: string;
	/** Folder of the unpacked tarball of this package. */
	package: string;
	/** Folder of n8n's storage. */
	storage: string;
	/** One for each item. If there are fewer, items share them. */
	images: Images;
	/** Number of items in each execution, or of images in its only item with `inOneItem`. */
	items: number;
	/** Whether all images are files of one item. */
	inOneItem?: boolean;
	/** Number of executions, one after the other unless `together`. */
	executions: number;
	/** Whether all executions run at once, each with its own items. */
	together?: boolean;
	/** The service's rate limit during the measurement, but not during the warm-up. */
	limit?: Limit;
	/** How many items to process at once, for contenders that have a setting for it. */
	concurrency: number;
	/** Runs first, without being measured, so that all code is loaded and compiled. */
	warmUp: { images: Images; items: number };
	/** Which memory to measure besides time: the peak, or what cannot be garbage-collected. */
	memory: 'none' | 'peak' | 'live';
	/** File for a CPU profile of the measured part. */
	profile?: string;
}

/** `calls` at once, then one more every `seconds / calls`. */
export interface Limit {
	calls: number;
	seconds: number;
	/** Whether a 429 has a Retry-After header. */
	retryAfter: boolean;
}

/** Images in n8n's storage. */
export interface Images {
	/** Size of each image. */
	bytes: number;
	binaries: IBinaryData[];
}

export type ContenderName =
	| 'node'
	| 'httpRequest'
	| 'httpRequestLoop'
	| 'httpRequestWithoutRedirects'
	| 'serialNode'
	| 'bareNode'
	| 'floor';

/** The result of a job. */
export interface Measurement {
	/** Milliseconds from the start of the first execution to the end of the last. */
	wall: number;
	/** CPU time of the process in milliseconds, user and system, on all processors. */
	cpu: number;
	/** Bytes above the start of the measurement; 0 if memory is not measured. */
	memory: number;
	/** How many requests the service refused because of the job's limit. */
	refused: number;
}

/** Images to create in n8n's storage. Done in its own process, because it leaves much garbage. */
export interface StoreJob {
	storage: string;
	bytes: number;
	count: number;
}

/** An execution whose last item the service refuses, and its Retry. */
export type LedgerJob = Pick<Job, 'service' | 'package' | 'storage' | 'images' | 'items'> & {
	/** Whether the node remembers finished jobs; if false, its ledger is replaced by an empty one. */
	remembers: boolean;
};

/** Items of which the last can't be sent, so that the node plans all and buys none. */
export type PlanningJob = Pick<Job, 'package' | 'storage' | 'images' | 'items'>;

export interface LedgerMeasurement {
	/** CPU milliseconds of the execution that fails at its last item. */
	run: number;
	/** CPU milliseconds of its Retry. */
	retry: number;
	/** CPU milliseconds in which n8n's serializer writes and reads the failed execution's data. */
	storing: number;
	/** Size of that data in bytes. */
	bytes: number;
	/** Bytes left in the node's context after the Retry. */
	left: number;
	/** How many images were charged in total. */
	charged: number;
}
