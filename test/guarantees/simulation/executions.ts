import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Purchase } from '../../../nodes/ImageGeneration/recall/purchase';
import type { SimulatedProcess } from './clock';
import type { ExecutionPlan } from './plan';

export const ORIGIN = 'https://service.example';

/** A paid request that reached the service. */
export class Charge {
	/** Whether it costs money. */
	isCharged = false;

	/** What the node knows of it. */
	outcome: 'none' | 'image' | 'free' | 'unclear' = 'none';

	/** Whether its upload was cut off. */
	isCutOff = false;

	constructor(
		readonly id: number,
		readonly ask: string,
		readonly run: SimulatedRun,
		readonly process: SimulatedProcess,
		readonly at: number,
	) {}

	get link(): string {
		return `${ORIGIN}/job-view-file/${this.id}/output.png`;
	}
}

/** What has really become of an execution. */
export type Truth = 'running' | 'waiting' | 'well' | 'failed' | 'killed' | 'stopped' | 'timed out';

/** What n8n has stored of it. */
export interface Stored {
	hasError: boolean;
	hasOutput: boolean;
	isStackEmpty: boolean;
	/** Whether n8n made up its output from its event log. */
	isRecovered?: boolean;
	waitTill?: Date;
}

/** What people can read of a run, if its execution is stored. */
export interface Said {
	run: SimulatedRun;
	text: string;
	/** What it tells of other runs. */
	toTell: readonly Purchase[];
}

/** One run of the node: a round of a loop. n8n may repeat it. */
export class SimulatedRun {
	/** As the node calls it. */
	readonly names: string[] = [];

	readonly sends: Charge[] = [];

	/** What its last attempt was about to tell of other runs. */
	toTell: readonly Purchase[] = [];

	/** When it began to wait for what other runs have asked for. */
	waitsSince: number | undefined;

	/** How long it has waited. */
	waited = 0;

	constructor(
		readonly execution: SimulatedExecution,
		readonly round: number,
	) {}
}

/** A try of a run. */
export interface Attempt {
	run: SimulatedRun;
	process: SimulatedProcess;
	/** The hints that it adds. */
	hints: string[];
	/** What it tells of other runs. */
	toTell: readonly Purchase[];
}

/** An execution of a workflow. */
export class SimulatedExecution {
	truth: Truth = 'running';

	stored: Stored = { hasError: false, hasOutput: false, isStackEmpty: false };

	endedAt = Infinity;

	/** Whether n8n could not store its end. */
	isLost = false;

	/** Whether n8n knows it as one that has ended, and stores none such. */
	isUnsaved = false;

	isDeleted = false;

	isRetried = false;

	/** Where it failed. */
	failedAt: 'node' | 'later' | undefined;

	/** The round in which it is. */
	round = 0;

	/** The node's context. */
	context: IDataObject = {};

	/** What the node's runs returned. */
	readonly outputs: INodeExecutionData[][] = [];

	/** The images in its output, and when it got them. */
	readonly uses: Array<{ charge: Charge; at: number; round: number }> = [];

	readonly said: Said[] = [];

	stop = new AbortController();

	constructor(
		readonly id: string,
		readonly plan: ExecutionPlan,
		public process: SimulatedProcess,
		readonly startedAt: number,
		/** The execution that runs it as a sub-workflow. */
		readonly caller: SimulatedExecution | undefined,
		/** The execution that it retries. */
		readonly retries: SimulatedExecution | undefined,
	) {}

	hasEnded(): boolean {
		return this.truth !== 'running' && this.truth !== 'waiting';
	}

	/** The callers that wait for it, from the inside out. */
	get callers(): SimulatedExecution[] {
		const { caller } = this;
		return caller === undefined || this.plan.isDetached ? [] : [caller, ...caller.callers];
	}

	/** Whether it ended well, its callers included. */
	get isWell(): boolean {
		return this.truth === 'well' && this.callers.every(({ truth }) => truth === 'well');
	}

	/** Whether it ended well itself, and its callers may still do so. */
	get isWellSoFar(): boolean {
		return this.truth === 'well';
	}

	/** Whether something of it may still end well. */
	get goesOn(): boolean {
		const all = [this, ...this.callers];
		const isOpen = ({ truth }: SimulatedExecution) => truth === 'running' || truth === 'waiting';
		return all.some(isOpen) && all.every((each) => isOpen(each) || each.truth === 'well');
	}

	/** The execution that somebody started first, whatever was retried or called since. */
	get origin(): SimulatedExecution {
		return (this.retries ?? this.caller)?.origin ?? this;
	}
}
