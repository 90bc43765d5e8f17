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
	/** Number of items in each execution. */
	items: number;
	/** Number of executions, one after the other. */
	executions: number;
	/** How many items to process at once, for contenders that have a setting for it. */
	concurrency: number;
	/** Runs first, without being measured, so that all code is loaded and compiled. */
	warmUp: { images: Images; items: number };
	/** Whether to measure the peak of memory besides time. */
	watchMemory: boolean;
}

/** Images in n8n's storage, or in the items themselves. */
export interface Images {
	/** Size of each image. */
	bytes: number;
	binaries: IBinaryData[];
}

/** Names of the contenders in tables. */
export const contenderNames = {
	node: 'Image Generation',
	httpRequest: 'HTTP Request',
	httpRequestLoop: 'HTTP Request, in a loop',
	bareNode: 'Bare node',
};

export type ContenderName = keyof typeof contenderNames;

/** The result of a job. */
export interface Measurement {
	/** Milliseconds from the start of the first execution to the end of the last. */
	wall: number;
	/** CPU time of the process in milliseconds, user and system, on all processors. */
	cpu: number;
	/** Bytes above the start of the measurement; 0 if memory is not measured. */
	memory: number;
}

/** Images to create. Done in its own process, because it leaves much garbage. */
export interface StoreJob {
	storage: string;
	bytes: number;
	count: number;
	/** Whether they are in the item itself, as base64, instead of n8n's storage. */
	isInItem: boolean;
}

/** A text to read. Done in its own process, because it leaves much garbage. */
export interface TextJob {
	/** Folder of the unpacked tarball of this package. */
	package: string;
	/** Its group and name among the long texts. */
	group: string;
	text: string;
}
