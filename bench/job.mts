import type { IBinaryData } from 'n8n-workflow';

/** One measurement, made in a process of its own. */
export interface Job {
	contender: ContenderName;
	/** The service's address, without a slash at the end. */
	service: string;
	/** The folder of this package, as it comes out of its tarball. */
	package: string;
	/** The folder of n8n's storage. */
	storage: string;
	/** One for each item; above their number, items share them. */
	images: Images;
	/** Items of each execution; with `inOneItem`, images of its only item. */
	items: number;
	/** Whether all images are files of one item, which this package's node takes at once. */
	inOneItem?: boolean;
	/** Executions, one after the other unless `together`. */
	executions: number;
	/** Whether all executions run at once, each with its own items. */
	together?: boolean;
	/** What the service limits calls to while it is measured; the warm-up is free of it. */
	limit?: Limit;
	/** How many items are under way at once, for contenders that can be told. */
	concurrency: number;
	/** What runs first and is not measured, so that everything is loaded and compiled. */
	warmUp: { images: Images; items: number };
	/** What is measured beside time: the highest memory, or that of what can't be freed. */
	memory: 'none' | 'peak' | 'live';
	/** The file to write a CPU profile of the measured part to. */
	profile?: string;
}

/** `calls` at once, then one more every `seconds / calls`. */
export interface Limit {
	calls: number;
	seconds: number;
	/** Whether a refusal says how long to wait. */
	retryAfter: boolean;
}

/** Images in n8n's storage. */
export interface Images {
	/** The size of each. */
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

/** What a job came to. */
export interface Measurement {
	/** Milliseconds from the start of the first execution to the end of the last. */
	wall: number;
	/** Milliseconds of this process on all processors, user and system. */
	cpu: number;
	/** Bytes above what the process took before it began; 0 where memory was not asked for. */
	memory: number;
	/** Calls that the service refused because of the job's limit. */
	refused: number;
}

/** Images to be put into n8n's storage, by a process of its own: it leaves much behind in memory. */
export interface StoreJob {
	storage: string;
	bytes: number;
	count: number;
}

/** An execution whose last item the service refuses, and Retry of it. */
export type LedgerJob = Pick<Job, 'service' | 'package' | 'storage' | 'images' | 'items'> & {
	/** Whether finished jobs are remembered; without, the node's own ledger is taken out. */
	remembers: boolean;
};

/** Items of which the last can't be sent, so that the node plans all and buys none. */
export type PlanningJob = Pick<Job, 'package' | 'storage' | 'images' | 'items'>;

export interface LedgerMeasurement {
	/** Milliseconds of processor time of the execution that fails at its last item. */
	run: number;
	/** Milliseconds of processor time of its Retry. */
	retry: number;
	/** Milliseconds of processor time that n8n's serializer takes to write and read the failed execution's data. */
	storing: number;
	/** Bytes of that data. */
	bytes: number;
	/** Bytes that are left of the node's context after the Retry. */
	left: number;
	/** How many images were paid for in all. */
	charged: number;
}
