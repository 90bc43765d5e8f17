import { SECOND } from './clock';

/** What somebody wants to have: the picture of row 5, the one for Anna, Tuesday's post. */
export interface Wish {
	name: string;
	/** What its item asks for: a prompt, a photo or an address. Equal texts are equal requests. */
	ask: string;
	/** Which photo is behind the address now. */
	content?: number;
}

/**
 * A later node. `post` and `write` give the pictures to people, `gate` looks at them and rejects some with Stop And
 * Error, `gate below` does so in a sub-workflow.
 */
export interface Step {
	kind: 'post' | 'write' | 'gate' | 'gate below' | 'other';
	ms: number;
}

/** A workflow around the node. Times are in milliseconds. */
export interface Workflow {
	name: string;
	operation: 'generate' | 'edit' | 'removeBackground';
	/** Whether the prompt is typed, so that all items ask for the same. */
	isFixed: boolean;
	isByAddress: boolean;
	/** The option Number of Images. */
	copies: number;
	/** Whether a loop runs the node for one item after the other. */
	isLoop: boolean;
	/** The image nodes, one behind the other: a node and its copy. */
	nodes: readonly string[];
	steps: readonly Step[];
	/** How long the workflow waits after its first round, as for a person. */
	pause: number | undefined;
	/** How often n8n tries a run of the node that fails. */
	tries: number;
	/** Whether On Error is Continue. */
	continues: boolean;
	concurrency: number;
	reuse: 'always' | 'never' | undefined;
	/** Its API key, and the credential with it. */
	key: string;
	dayLimit: number | undefined;
	/** The workflow's time limit. */
	limit: number | undefined;
	/** How often a caller tries it as a sub-workflow; 0 if no other workflow calls it. */
	callerTries: number;
	/** The share of pictures that a gate rejects. */
	rejects: number;
	/** Whether n8n stores executions that end well, and those that don't. */
	savesWell: boolean;
	savesFailed: boolean;
}

/** Asks for one picture, which the next node writes to a sheet. */
export const PLAIN: Workflow = {
	name: 'Workflow',
	operation: 'generate',
	isFixed: false,
	isByAddress: false,
	copies: 1,
	isLoop: false,
	nodes: ['Image Generation'],
	steps: [{ kind: 'write', ms: SECOND }],
	pause: undefined,
	tries: 1,
	continues: false,
	concurrency: 5,
	reuse: undefined,
	key: 'test-key',
	dayLimit: undefined,
	limit: undefined,
	callerTries: 0,
	rejects: 0,
	savesWell: true,
	savesFailed: true,
};

/** One start of a workflow. */
export interface Start {
	wishes: readonly Wish[];
	/** The place of its process. */
	process?: number;
	/** Whether somebody runs it in the editor. */
	isManual?: boolean;
	/** When somebody presses Stop, after its start. */
	stopAt?: number | undefined;
	/** The round and the step that fails: of the caller, if there is one. */
	failsAt?: readonly [round: number, step: number] | undefined;
	/** In how many of the caller's tries the first step of the sub-workflow fails. */
	failedCalls?: number;
	/** When somebody presses Retry in the list of executions after it has failed; several times. */
	retriesAt?: readonly number[];
}

/** What the service does with a request; the link of a broken one never works. */
export type Fate =
	| 'image'
	| 'broken'
	| 'refused'
	| 'unreachable'
	| 'throttled'
	| 'unclear'
	| 'charged'
	| 'hangs';

/** The world in which it happens. Shares are of 1; times are in milliseconds. */
export interface Settings {
	seed: number;
	/** How many n8n processes share the work. */
	processes: number;
	hasLog: boolean;
	/** The first requests' fates and how long they take; the others are drawn. */
	script: ReadonlyArray<readonly [Fate, number]>;
	/** The least and the most time that an image takes. */
	quickest: number;
	slowest: number;
	/** Shares of the requests that are refused, lose their answer, and are never answered. */
	refused: number;
	unclear: number;
	hangs: number;
	/** Share of the requests that can't be sent or are too many, and of the downloads that the service can't serve. */
	unsent: number;
	/** How long a link works. */
	linkLife: number;
	table: {
		/** Longest time that a call takes to arrive, and its answer to return. */
		latency: number;
		/** Share of the calls that report a failure, half of them after the change was made. */
		failures: number;
	};
}

/** One process without a log; the service makes each image in three seconds. */
export const CALM: Settings = {
	seed: 1,
	processes: 1,
	hasLog: false,
	script: [],
	quickest: 3 * SECOND,
	slowest: 3 * SECOND,
	refused: 0,
	unclear: 0,
	hangs: 0,
	unsent: 0,
	linkLife: Infinity,
	table: { latency: 100, failures: 0 },
};
