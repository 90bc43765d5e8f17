import type { StoredExecution } from '../../nodes/ImageGeneration/execution';
import type { PurchasingProcess } from '../../nodes/ImageGeneration/recall/process/process';
import { RunRecord } from '../../nodes/ImageGeneration/recall/runRecord';
import type { StoredRow } from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import type { ExecutionState } from '../../nodes/ImageGeneration/run/executionState';
import { executionState, stored } from '../support/recordingRun';
import type { ExecutionPlan } from './logSchedule';

export interface Charge {
	request: number;
	run: SimulatedRun;
	job: string;
	link: string;
	at: number;
}

/** An n8n process. */
export interface Process {
	facts: PurchasingProcess;
	isDead: boolean;
	/** Nothing happens in it before. */
	frozenUntil: number;
	/** Calls of the table that failed one after the other. */
	failedInARow: number;
	/** When the table did not answer it last, by the world's time. */
	unansweredAt: number;
}

/** An execution of the workflow, which goes on after the node's runs. */
export class SimulatedExecution {
	/** How it ended; undefined while it goes on. */
	end: 'success' | 'error' | 'canceled' | 'crashed' | undefined;

	endedAt = Infinity;

	/** Aborted by Stop or the workflow's timeout. */
	readonly abort = new AbortController();

	/** Whether the workflow's timeout has passed. */
	isTimedOut = false;

	/** Whether n8n notices its death. */
	isNoticed = true;

	readonly state: ExecutionState;

	/** By the clock of its process. */
	lastNodeEnd = -Infinity;

	/** Whether a later node failed, and not this one. */
	hasFailedLater = false;

	/** What n8n stored as it began: what Retry or a pause goes on with. */
	readonly inherited: StoredExecution;

	constructor(
		readonly id: string,
		readonly plan: ExecutionPlan,
		readonly process: Process,
		readonly began: number,
		/** The execution that calls this one as a sub-workflow. */
		readonly caller?: SimulatedExecution,
		/** The execution that it retries. */
		readonly before?: SimulatedExecution,
		/** The node's context. */
		readonly store: Record<string, unknown> = {},
	) {
		this.state = executionState(store, this.abort.signal);
		const goesOn = before !== undefined || plan.waits;
		this.inherited = stored({
			isRecovered: before?.end === 'crashed',
			lastNodeEnd: goesOn ? process.facts.timeOfDay() - 1 : -Infinity,
			keptLinks: linksIn(store),
		});
	}

	get parent(): string {
		return this.caller?.id ?? '';
	}

	#withProgress(links: readonly string[]): StoredExecution {
		const lastNodeEnd = Math.max(this.inherited.lastNodeEnd, this.lastNodeEnd);
		return { ...this.inherited, links: new Set(links), lastNodeEnd };
	}

	/** Whether somebody has deleted it. */
	isDeleted(time: number): boolean {
		return time >= this.endedAt + (this.plan.deletedAfter ?? Infinity);
	}

	/** What n8n has of it (2.41.1). @param all All runs of the node. */
	stored(all: readonly SimulatedRun[], time: number): StoredExecution | undefined {
		const { end, plan, isTimedOut, store, lastNodeEnd } = this;
		if (this.isDeleted(time)) return undefined;
		const runs = all.filter(({ of }) => of === this);
		const delivered = runs.filter((run) => run.end === 'delivered');
		const links = delivered.flatMap(({ output }) => output.map(({ link }) => link));
		const inherited = plan.savesProgress ? this.#withProgress(links) : this.inherited;
		if (end === undefined) return inherited;
		if (end === 'success') {
			return plan.savesSuccess ? stored({ isComplete: true, links, lastNodeEnd }) : undefined;
		}
		if (end === 'crashed' && !this.isNoticed) return inherited;
		if (!plan.savesFailure) return undefined;
		// A loop that is killed in a later round is stored without an error.
		if (end === 'crashed') return { ...inherited, isFailed: runs.length <= 1, isRecovered: true };
		const isStored = end === 'error' || isTimedOut;
		if (!isStored) return { ...inherited, isFailed: true };
		// The message of a node that the timeout stopped is stored as an error.
		const isFailed = end === 'error' || runs.at(-1)?.end === 'stopped';
		const keptLinks = linksIn(store);
		return stored({ isFailed, isComplete: true, links, lastNodeEnd, keptLinks });
	}
}

/** A run of the node, and what became of it. */
export class SimulatedRun {
	/** As in the table's rows. */
	readonly name: string;

	readonly record: RunRecord;

	foundIn: number | undefined;

	end: 'delivered' | 'failed' | 'stopped' | 'killed' | 'refused' | undefined;

	endedAt = Infinity;

	/** Why it was refused. */
	refusal = '';

	/** The images in its output. */
	readonly output: Array<{ request: number; job: string; link: string; from: string }> = [];

	/** What people read of other runs: links and labels. */
	told: string[] = [];

	/** The rows that it told of. */
	toldOf: Array<Pick<StoredRow, 'entry' | 'link'>> = [];

	/** Ids of rows that it may have taken over, as the table did not answer. Nobody needs to spare them. */
	readonly unknown = new Set<number>();

	/** Jobs whose requests had no clear outcome. */
	readonly unclear: string[] = [];

	/** Whether the node had its output ready when its process died. */
	isEnding = false;

	/** Whether the table does not show how it ended. */
	unmarked = false;

	constructor(
		readonly of: SimulatedExecution,
		/** Counts from 0. */
		readonly round: number,
		readonly began: number,
		id: number,
	) {
		this.name = `${of.process.facts.name}.${id}`;
		this.record = new RunRecord(this.name);
	}

	get execution(): string {
		return this.of.id;
	}

	get plan(): ExecutionPlan {
		return this.of.plan;
	}

	get process(): Process {
		return this.of.process;
	}

	get signal(): AbortSignal {
		return this.of.abort.signal;
	}

	/** Whether n8n has, or may have, what the run delivered, as far as other runs can know. */
	get isKept(): boolean {
		return this.end === 'delivered' && isKeptBy(this.of);
	}
}

/** Whether nobody runs an execution's work again, and other runs leave its images alone. */
function isKeptBy({ end, caller, plan, hasFailedLater }: SimulatedExecution): boolean {
	if (end === undefined || end === 'canceled') return false;
	if (caller !== undefined) return end === 'success' && isKeptBy(caller);
	switch (end) {
		case 'success':
			return true;
		// What a failed execution delivered before is free if n8n does not have it. If a later node failed, nobody can know.
		case 'error':
			return hasFailedLater || (plan.savesFailure && plan.deletedAfter === undefined);
		// Nobody can know, or n8n has the output.
		case 'crashed':
			return !plan.savesFailure || plan.savesProgress;
	}
}

/** The links that an execution keeps for Retry. */
function linksIn(store: SimulatedExecution['store']): string[] {
	const jobs = (store.finishedJobs ?? []) as Array<[string, { output_url: string }]>;
	return jobs.map(([, { output_url }]) => output_url);
}
