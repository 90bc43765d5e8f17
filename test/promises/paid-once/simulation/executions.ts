import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Clock, SimulatedProcess } from './clock';
import type { Start, Wish, Workflow } from './plan';

export const ORIGIN = 'https://service.example';

/** What has really become of an execution. */
export type Truth =
	| 'running'
	| 'waiting'
	| 'well'
	| 'failed'
	| 'rejected'
	| 'killed'
	| 'stopped'
	| 'timed out';

/** What n8n has stored of it. */
export interface Stored {
	/** The type of the node that failed. */
	error?: string;
	hasOutput: boolean;
	isStackEmpty: boolean;
	/** Whether n8n made up its output from its event log. */
	isRecovered?: boolean;
	waitTill?: Date;
}

/** That somebody received a picture for a wish. */
export interface Receipt {
	wish: string;
	by: SimulatedExecution;
	at: number;
}

/** A paid request that reached the service. */
export class Charge {
	/** Whether it costs money. */
	isCharged = false;

	/** What the process that sent it knows of it. */
	outcome: 'none' | 'image' | 'free' | 'unclear' = 'none';

	answeredAt = Infinity;

	/** Whether its upload was cut off. */
	isCutOff = false;

	isBroken = false;

	/** The names of the wishes for which it can be. */
	readonly wishes: ReadonlySet<string>;

	readonly receipts: Receipt[] = [];

	/** The executions that had it in their output, and when. */
	readonly uses: Array<{ by: SimulatedExecution; round: number; at: number }> = [];

	/** The wishes for which a gate rejected it, and when. */
	readonly rejections = new Map<string, number>();

	isRejected: boolean | undefined;

	constructor(
		readonly id: number,
		readonly ask: string,
		readonly attempt: Attempt,
		readonly at: number,
	) {
		this.wishes = new Set(this.asking.flatMap(({ name }) => namesOf(name, this.workflow)));
	}

	get execution(): SimulatedExecution {
		return this.attempt.execution;
	}

	get process(): SimulatedProcess {
		return this.attempt.process;
	}

	get workflow(): Workflow {
		return this.execution.workflow;
	}

	/** Whether all items of its run ask for the same, so that it is made once. */
	get isForAllItems(): boolean {
		return this.attempt.wishes.length === this.asking.length;
	}

	/** The items of its run that ask for it. */
	get asking(): Wish[] {
		return this.attempt.wishes.filter(({ ask }) => ask === this.ask);
	}

	/** Which photo was behind its address. */
	get content(): number {
		return this.asking[0]?.content ?? 0;
	}

	get link(): string {
		return `${ORIGIN}/job-view-file/${this.id}/output.png`;
	}
}

/** The wishes that one item asks for: with several copies, each is one. */
export function namesOf(name: string, { copies }: Workflow): string[] {
	if (copies === 1) return [name];
	return Array.from({ length: copies }, (_, index) => `${name} copy ${index + 1}`);
}

/** A try of a run of the node, and how long it had nothing of its own to wait for. */
export class Attempt {
	longestIdle = 0;

	readonly startedAt: number;

	#open = 0;

	#idleSince: number;

	/** What later tries ask n8n through it is theirs. */
	#hasEnded = false;

	constructor(
		private readonly clock: Clock,
		readonly execution: SimulatedExecution,
		readonly process: SimulatedProcess,
		readonly node: string,
		readonly round: number,
		readonly wishes: readonly Wish[],
		readonly items: readonly INodeExecutionData[],
	) {
		this.startedAt = clock.time;
		this.#idleSince = clock.time;
	}

	/** Waits for what the run has asked for itself. */
	async track<T>(work: Promise<T>): Promise<T> {
		this.#noteIdle();
		this.#open++;
		try {
			return await work;
		} finally {
			this.#open--;
			this.#idleSince = this.clock.time;
		}
	}

	end(): void {
		this.#noteIdle();
		this.#hasEnded = true;
	}

	#noteIdle(): void {
		if (this.#open > 0 || this.#hasEnded) return;
		this.longestIdle = Math.max(this.longestIdle, this.clock.time - this.#idleSince);
	}
}

/** An execution of a workflow. */
export class SimulatedExecution {
	truth: Truth = 'running';

	stored: Stored = { hasOutput: false, isStackEmpty: false };

	endedAt = Infinity;

	/** When n8n has stored how it ended. */
	storedAt = Infinity;

	/** Where it failed: a round and a step, -1 for the node. */
	failedAt: readonly [round: number, step: number] | undefined;

	isRetried = false;

	stop = new AbortController();

	/** The nodes' contexts. */
	contexts: Record<string, IDataObject> = {};

	/** What the nodes' runs returned. */
	outputs: Record<string, INodeExecutionData[][]> = {};

	/** Which picture each wish has now. */
	readonly pictures = new Map<string, Charge>();

	/** What people can read of it: messages and hints. */
	readonly said: string[] = [];

	constructor(
		readonly id: string,
		readonly workflow: Workflow,
		readonly start: Start,
		public process: SimulatedProcess,
		readonly startedAt: number,
		/** The execution that runs it as a sub-workflow. */
		readonly caller: SimulatedExecution | undefined,
		/** The execution that it retries. */
		readonly retries: SimulatedExecution | undefined,
	) {}

	get isManual(): boolean {
		return this.start.isManual === true;
	}

	hasEnded(): boolean {
		return this.truth !== 'running' && this.truth !== 'waiting';
	}

	/** It, and those that wait for it, from the inside out. */
	get chain(): SimulatedExecution[] {
		return this.caller === undefined ? [this] : [this, ...this.caller.chain];
	}

	/** Whether all of the chain ended well by then. */
	isWellAt(time: number): boolean {
		return this.chain.every(({ truth, endedAt }) => truth === 'well' && endedAt <= time);
	}

	/** Whether nothing of the chain has ended otherwise by then, and something still goes on. */
	isLiveAt(time: number): boolean {
		const isOpen = (each: SimulatedExecution) => each.endedAt > time;
		return (
			this.chain.some(isOpen) && this.chain.every((each) => isOpen(each) || each.truth === 'well')
		);
	}

	/** The execution that somebody started first. */
	get origin(): SimulatedExecution {
		return (this.retries ?? this.caller)?.origin ?? this;
	}
}
