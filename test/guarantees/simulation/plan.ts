/** One execution of a workflow that runs the node. Times are in milliseconds. */
export interface ExecutionPlan {
	/** When it starts. */
	at: number;
	/** The place of its process. */
	process: number;
	/** What its items ask for: equal letters are equal requests. */
	asks: readonly string[];
	/** Whether it removes backgrounds, so that equal requests are one purchase. */
	isCutOut: boolean;
	concurrency: number;
	/** How often n8n tries a run of the node that fails. */
	tries: number;
	/** Whether On Error is Continue. */
	continues: boolean;
	/** How often a loop runs the node. */
	rounds: number;
	/** How long a later node runs after each round. */
	later: number;
	/** The round after which the later node fails. */
	laterFails: number | undefined;
	/** How long the workflow waits after its first round, as for a person, and where it goes on then. */
	pause: number | undefined;
	resumesAt: number;
	/** When somebody presses Stop, after its start. */
	stopAfter: number | undefined;
	/** The workflow's time limit. */
	limit: number | undefined;
	/** When somebody starts it again, after it was stopped. */
	again: number | undefined;
	/** When somebody presses Retry in the list of executions, after its end. */
	retryAfter: number | undefined;
	reuse: 'always' | undefined;
	/** Whether it runs in the editor. */
	isManual: boolean;
	/** How often a caller tries this as a sub-workflow; 0 if no other workflow calls it. */
	callerTries: number;
	/** Whether another sub-workflow stands between the two. */
	isNested: boolean;
	/** Whether the caller goes on without waiting. */
	isDetached: boolean;
	/** Whether a later node of the sub-workflow fails in the caller's first try. */
	subFails: boolean;
	/** Save execution progress. */
	savesProgress: boolean;
	/** Whether n8n stores the execution if it ends well, and if it doesn't. */
	savesWell: boolean;
	savesFailed: boolean;
	/** When somebody deletes it, after its end. */
	deletedAfter: number | undefined;
	/** The option Timeout, in seconds. */
	timeout: number;
	/** Max Images per Day. */
	dayLimit: number | undefined;
	/** The node that it runs. */
	node: string;
	/** Whether it is one of the last runs, which ask for everything to see what is there. */
	isProbe: boolean;
}

/** What the service does with a request. */
export type Fate = 'image' | 'refused' | 'busy' | 'unreachable' | 'unclear' | 'charged' | 'hangs';

/** What happens in a world. Shares are of 1; times are in milliseconds. */
export interface Schedule {
	seed: number;
	hasLog: boolean;
	/** How far the time of day of each process is ahead. */
	clocks: readonly number[];
	executions: readonly ExecutionPlan[];
	/** When processes are killed, and how n8n notices it. */
	kills: ReadonlyArray<{
		at: number;
		process: number;
		notice: 'restart' | 'queue' | 'never';
	}>;
	freezes: ReadonlyArray<{ at: number; process: number; ms: number }>;
	/** When n8n's database is away. */
	outages: ReadonlyArray<{ from: number; to: number }>;
	/** When n8n's tables are full. */
	full: ReadonlyArray<{ from: number; to: number }>;
	table: {
		/** Longest time that a call takes to arrive, and its answer to return. */
		latency: number;
		/** Share of the calls that report a failure, half of them after the change was made. */
		failures: number;
		/** Share of the answers that come twelve seconds later. */
		late: number;
	};
	service: {
		/** The first requests' fates and how long they take; the others are drawn. */
		script: ReadonlyArray<{ fate: Fate; ms: number }>;
		/** Longest time that an image takes. */
		slowest: number;
		/** Share of the requests that are not answered with an image. */
		mishaps: number;
		/** Share of the requests that are never answered. */
		hangs: number;
		/** Longest time that an upload takes. */
		upload: number;
	};
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** One run of the node that asks for a. */
export const PLAIN: ExecutionPlan = {
	at: 0,
	process: 0,
	asks: ['a'],
	isCutOut: false,
	concurrency: 2,
	tries: 1,
	continues: false,
	rounds: 1,
	later: SECOND,
	laterFails: undefined,
	pause: undefined,
	resumesAt: 0,
	stopAfter: undefined,
	limit: undefined,
	again: undefined,
	retryAfter: undefined,
	reuse: undefined,
	isManual: false,
	callerTries: 0,
	isNested: false,
	isDetached: false,
	subFails: false,
	savesProgress: false,
	savesWell: true,
	savesFailed: true,
	deletedAfter: undefined,
	timeout: 600,
	dayLimit: undefined,
	node: 'n',
	isProbe: false,
};

/** Nothing happens, in one process without a log; the service makes an image in two seconds. */
export const CALM: Schedule = {
	seed: 1,
	hasLog: false,
	clocks: [0],
	executions: [],
	kills: [],
	freezes: [],
	outages: [],
	full: [],
	table: { latency: 100, failures: 0, late: 0 },
	service: { script: [], slowest: 2 * SECOND, mishaps: 0, hangs: 0, upload: 0 },
};
