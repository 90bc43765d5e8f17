import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { execute } from '../../../../nodes/ImageGeneration/execute';
import { N8nTables, type Outage } from '../../../support/n8nTables';
import { seeded } from '../../../support/simulateRequests';
import { Clock, SECOND, SimulatedProcess } from './clock';
import { contextFor, itemsFor, type NodeWorld } from './context';
import { Attempt, namesOf, SimulatedExecution, type Charge, type Truth } from './executions';
import { CALM, type Settings, type Start, type Step, type Wish, type Workflow } from './plan';
import { SimulatedService } from './service';
import { inTimeOf } from './virtualTime';

/** How long n8n takes to start again. */
const RESTART = 8 * SECOND;
/** How long n8n takes to notice that a worker has died, with its default settings (2.41.1). */
const SWEEP = 140 * SECOND;

const STOP_AND_ERROR = 'n8n-nodes-base.stopAndError';

/** How n8n notices that a process has died. */
export type Notice = 'restart' | 'queue' | 'never';

/**
 * A world in which the node itself runs, `execute` and everything below it: a clock, n8n's processes, its executions
 * and its table, and a service that charges.
 */
export class World implements NodeWorld {
	readonly clock = new Clock();

	readonly settings: Settings;

	readonly random: () => number;

	readonly executions: SimulatedExecution[] = [];

	readonly attempts: Attempt[] = [];

	readonly service: SimulatedService;

	readonly tables: N8nTables;

	/** Those that live. */
	readonly processes: SimulatedProcess[];

	/** When n8n's database is away. */
	readonly outages: Array<{ from: number; to: number }> = [];

	/** When somebody received what was wished. */
	readonly done = new Map<string, number>();

	/** n8n's log. */
	readonly logLines: string[] = [];

	/** The pictures that a gate saw again which it had rejected. */
	readonly rejectedTwice: Array<{ charge: Charge; by: SimulatedExecution }> = [];

	readonly trace: string[] = [];

	#names = 0;

	constructor(settings: Partial<Settings> = {}) {
		this.settings = { ...CALM, ...settings };
		const { seed, processes, table } = this.settings;
		this.random = seeded(seed);
		this.processes = Array.from({ length: processes }, () => this.#newProcess());
		this.service = new SimulatedService(this.clock, this.settings, this.random);
		this.service.onStep = ({ id, execution }, step) =>
			this.say(execution.id, `request ${id} ${step}`);
		this.tables = new N8nTables({
			wait: async (ms) => await this.clock.sleep(undefined, ms),
			latency: () => 2 + this.random() * table.latency,
			outageOf: () => this.#outage(),
		});
	}

	/** How long a call of the table takes at most, with all that it does. */
	get slowestCall(): number {
		// A call may have to look for the table and make it first.
		return 16 * this.settings.table.latency;
	}

	/** The rows of the Purchase Log. */
	get rows(): readonly object[] {
		return this.tables.find('Purchases')?.rows ?? [];
	}

	/** Lets everything happen that {@link at} has planned. */
	async play(): Promise<void> {
		await inTimeOf(this, async () => await this.clock.play());
	}

	/** Plans what happens, in milliseconds from now. */
	at(ms: number, happen: () => void): void {
		this.clock.after(ms, undefined, happen);
	}

	say(subject: string, what: string): void {
		this.trace.push(`${(this.clock.time / SECOND).toFixed(1).padStart(9)} s  ${subject} ${what}`);
	}

	note(line: string): void {
		this.logLines.push(line);
		this.say('n8n logs:', line);
	}

	// Processes

	kill(place: number, notice: Notice): void {
		const process = this.#processAt(place);
		this.say(process.name, `is killed, noticed: ${notice}`);
		process.isDead = true;
		const isHere = (each: SimulatedExecution) => each.process === process;
		const killed = this.executions.filter((each) => isHere(each) && each.truth === 'running');
		for (const each of killed) {
			each.truth = 'killed';
			each.endedAt = this.clock.time;
		}
		const next = this.#newProcess();
		next.startsAt = this.clock.time + RESTART;
		this.processes[this.processes.indexOf(process)] = next;
		if (notice === 'never') return;
		const noticed = () => {
			for (const each of killed) this.#store(each, notice === 'restart');
		};
		this.at(notice === 'restart' ? RESTART - SECOND : SWEEP, noticed);
	}

	#newProcess(): SimulatedProcess {
		return new SimulatedProcess(this.clock, `process${++this.#names}`);
	}

	#processAt(place: number): SimulatedProcess {
		const process = this.processes[place % this.processes.length];
		if (process === undefined) throw new Error('There is no process.');
		return process;
	}

	// What n8n does

	/** Starts a workflow. @returns its execution, once that has ended, or waits for ever */
	async start(
		workflow: Workflow,
		start: Start,
		retries?: SimulatedExecution,
	): Promise<SimulatedExecution> {
		const execution = this.#add(
			workflow,
			start,
			this.#processAt(start.process ?? 0),
			undefined,
			retries,
		);
		const { limit, callerTries } = workflow;
		if (start.stopAt !== undefined) this.at(start.stopAt, () => this.#abort(execution, 'stopped'));
		if (limit !== undefined) this.at(limit, () => this.#abort(execution, 'timed out'));
		if (callerTries > 0) await this.#call(execution);
		else await this.#run(execution, retries?.failedAt ?? [0, -1]);
		const [next, ...later] = start.retriesAt ?? [];
		if (next !== undefined) this.at(next, () => void this.retry(execution, later));
		return execution;
	}

	/** Somebody presses Retry in the list of executions. */
	async retry(failed: SimulatedExecution, retriesAt: readonly number[] = []): Promise<void> {
		const { truth, stored, workflow, start } = failed;
		const isOffered = truth === 'failed' || truth === 'killed';
		const isStored = stored.error !== undefined && failed.storedAt <= this.clock.time;
		const isMissing = start.wishes.some(({ name }) => !this.done.has(name));
		const isPressed = isOffered && isStored && workflow.savesFailed && isMissing;
		if (!isPressed || failed.isRetried) return;
		failed.isRetried = true;
		const again: Start = {
			wishes: start.wishes,
			process: start.process ?? 0,
			isManual: false,
			retriesAt,
		};
		await this.start(workflow, again, failed);
	}

	#add(
		workflow: Workflow,
		start: Start,
		process: SimulatedProcess,
		caller?: SimulatedExecution,
		retries?: SimulatedExecution,
	): SimulatedExecution {
		const id = `E${this.executions.length + 1}`;
		const now = this.clock.time;
		const added = new SimulatedExecution(id, workflow, start, process, now, caller, retries);
		this.executions.push(added);
		const isStoredWhole = retries?.truth === 'failed' && workflow.callerTries === 0;
		if (isStoredWhole) {
			const { contexts, outputs, pictures } = retries;
			added.contexts = JSON.parse(JSON.stringify(contexts)) as typeof contexts;
			added.outputs = structuredClone(outputs);
			for (const [wish, charge] of pictures) added.pictures.set(wish, charge);
			added.stored = { hasOutput: true, isStackEmpty: false };
		}
		const kind = [
			start.isManual === true ? 'in the editor' : '',
			workflow.reuse ?? '',
			caller === undefined ? '' : `called by ${caller.id}`,
			retries === undefined ? '' : `Retry of ${retries.id}`,
		].filter(Boolean);
		const what = `${workflow.name}: ${start.wishes.map(({ name, ask }) => `${name}@${ask}`).join()}`;
		this.say(id, `starts in ${process.name}, ${[what, ...kind].join(', ')}`);
		return added;
	}

	#abort(execution: SimulatedExecution, how: 'stopped' | 'timed out'): void {
		// n8n counts no time while it waits.
		if (execution.hasEnded() || (how === 'timed out' && execution.truth === 'waiting')) return;
		const { stop, truth } = execution;
		this.#end(execution, how);
		if (truth === 'running')
			this.clock.after(0, execution.process, () => stop.abort(new Error(how)));
	}

	/** Runs a sub-workflow, which its caller repeats if it fails, and then a node of the caller. */
	async #call(caller: SimulatedExecution): Promise<void> {
		const { process, start, workflow } = caller;
		const { failedCalls = 0, wishes, isManual = false } = start;
		let called: SimulatedExecution | undefined;
		for (let left = workflow.callerTries; left > 0 && called?.truth !== 'well'; left--) {
			if (called !== undefined) await this.clock.sleep(process, 3 * SECOND);
			if (caller.hasEnded()) return;
			const isFailing = workflow.callerTries - left < failedCalls;
			const failsAt = isFailing ? ([0, 0] as const) : undefined;
			const inner = { ...workflow, callerTries: 0, limit: undefined };
			called = this.#add(inner, { wishes, isManual, failsAt }, process, caller);
			await this.#run(called, [0, -1]);
		}
		await this.clock.sleep(process, SECOND);
		if (called?.truth !== 'well') {
			this.#end(caller, 'failed', [0, -1]);
			return;
		}
		for (const [wish, charge] of called.pictures) this.#give(called, wish, charge);
		this.#end(caller, start.failsAt === undefined ? 'well' : 'failed', [0, 0]);
	}

	/** Runs the workflow from a round and a step on; step -1 is the image node. */
	async #run(
		execution: SimulatedExecution,
		[first, step]: readonly [number, number],
	): Promise<void> {
		const { workflow, start } = execution;
		const rounds = workflow.isLoop ? start.wishes.map((wish) => [wish]) : [start.wishes];
		let skipped = step;
		for (const [round, wishes] of rounds.entries()) {
			if (round < first) continue;
			if (skipped < 0 && !(await this.#runNodes(execution, round, wishes))) {
				this.#end(execution, 'failed', [round, -1]);
				return;
			}
			if (execution.hasEnded()) return;
			for (const [index, each] of workflow.steps.entries()) {
				if (index < skipped) continue;
				await this.clock.sleep(execution.process, each.ms);
				if (execution.hasEnded()) return;
				const isFailing = start.failsAt?.[0] === round && start.failsAt[1] === index;
				if (isFailing || this.#isRejected(execution, each, wishes)) {
					this.#end(execution, isFailing ? 'failed' : 'rejected', [round, index]);
					return;
				}
				if (each.kind === 'post' || each.kind === 'write') this.#giveAll(execution, wishes);
			}
			skipped = -1;
			if (workflow.pause !== undefined && round === 0) await this.#pause(execution, workflow.pause);
			if (execution.hasEnded()) return;
		}
		if (execution.caller === undefined) this.#giveAll(execution, start.wishes);
		this.#end(execution, 'well');
	}

	/** n8n stores it, and goes on with it later, possibly in another process. */
	async #pause(execution: SimulatedExecution, ms: number): Promise<void> {
		execution.truth = 'waiting';
		this.say(execution.id, 'waits');
		execution.stored = {
			hasOutput: true,
			isStackEmpty: false,
			waitTill: new Date(this.clock.timeOfDay + ms),
		};
		await this.clock.sleep(undefined, ms);
		if (execution.hasEnded()) return;
		execution.contexts = JSON.parse(
			JSON.stringify(execution.contexts),
		) as typeof execution.contexts;
		execution.stop = new AbortController();
		execution.process = this.#processAt(Math.floor(this.random() * this.processes.length));
		execution.truth = 'running';
		await this.clock.sleep(execution.process, 1);
		this.say(execution.id, `goes on in ${execution.process.name}`);
	}

	/** Runs the image nodes of one round. @returns whether n8n has the output of all */
	async #runNodes(
		execution: SimulatedExecution,
		round: number,
		wishes: readonly Wish[],
	): Promise<boolean> {
		for (const node of execution.workflow.nodes) {
			if (!(await this.#runNode(execution, node, round, wishes))) return false;
		}
		return true;
	}

	/** Runs a node, again if it fails and n8n repeats it. */
	async #runNode(
		execution: SimulatedExecution,
		node: string,
		round: number,
		wishes: readonly Wish[],
	): Promise<boolean> {
		const { workflow, process } = execution;
		const items = itemsFor(wishes, workflow);
		for (let left = workflow.tries; left > 0; left--) {
			// From here on it is the process whose code runs, also if the world has started it.
			await this.clock.sleep(process, left < workflow.tries ? 4 * SECOND : 0);
			if (execution.hasEnded()) return false;
			const attempt = new Attempt(this.clock, execution, process, node, round, wishes, items);
			this.attempts.push(attempt);
			const ended = await execute(contextFor(this, attempt), process).then(
				([output = []]) => ({ output }),
				(error: unknown) => ({ error: error as Error & { description?: string } }),
			);
			attempt.end();
			// n8n refuses what a node returns after Stop.
			if (execution.hasEnded()) return false;
			const isFailure = 'error' in ended || ended.output[0]?.json.error !== undefined;
			if (isFailure && left > 1) continue;
			if ('error' in ended) {
				const text = `${ended.error.message} ${ended.error.description ?? ''}`;
				execution.said.push(text);
				this.say(execution.id, `fails: ${text}`);
				return false;
			}
			this.#deliver(attempt, ended.output);
			return true;
		}
		return false;
	}

	#deliver({ execution, node, round, wishes }: Attempt, output: INodeExecutionData[]): void {
		const { workflow, outputs, pictures } = execution;
		(outputs[node] ??= [])[round] = output;
		for (const { json, binary, pairedItem } of output) {
			if (json.error !== undefined) {
				execution.said.push(JSON.stringify(json));
				continue;
			}
			const data = binary?.data?.data;
			const bytes = data === undefined ? undefined : Buffer.from(data, 'base64');
			const charge = this.service.pictureIn(bytes, json.id);
			const { item } = pairedItem as { item: number };
			const copy = Number(json.copy ?? 1);
			const wish = wishes[item] && namesOf(wishes[item].name, workflow)[copy - 1];
			if (charge === undefined || wish === undefined) {
				throw new Error(`Nobody knows this item: ${JSON.stringify(json)}`);
			}
			pictures.set(wish, charge);
			charge.uses.push({ by: execution, round, at: this.clock.time });
			if (execution.isManual) this.#give(execution, wish, charge);
			this.say(execution.id, `has image ${charge.id} for ${wish}`);
		}
	}

	#giveAll(execution: SimulatedExecution, wishes: readonly Wish[]): void {
		for (const wish of wishes) {
			for (const name of namesOf(wish.name, execution.workflow)) {
				const charge = execution.pictures.get(name);
				if (charge === undefined) continue;
				this.#give(execution, name, charge);
				this.done.set(wish.name, this.clock.time);
			}
		}
	}

	#give(by: SimulatedExecution, wish: string, { receipts }: Charge): void {
		if (receipts.some((each) => each.wish === wish && each.by === by)) return;
		receipts.push({ wish, by, at: this.clock.time });
	}

	/** Whether a gate rejects one of the pictures. */
	#isRejected(execution: SimulatedExecution, { kind }: Step, wishes: readonly Wish[]): boolean {
		if (kind !== 'gate' && kind !== 'gate below') return false;
		let isAny = false;
		for (const { name } of wishes) {
			const charge = execution.pictures.get(name);
			if (charge === undefined) continue;
			if (charge.rejections.has(name)) this.rejectedTwice.push({ charge, by: execution });
			charge.isRejected ??= this.random() < execution.workflow.rejects;
			if (!charge.isRejected) continue;
			charge.rejections.set(name, this.clock.time);
			isAny = true;
		}
		return isAny;
	}

	#end(execution: SimulatedExecution, truth: Truth, failedAt?: readonly [number, number]): void {
		if (execution.hasEnded()) return;
		execution.truth = truth;
		execution.failedAt = truth === 'failed' || truth === 'rejected' ? failedAt : undefined;
		execution.endedAt = this.clock.time;
		this.say(execution.id, `ended: ${truth}`);
		// What n8n can't store, it never knows.
		if (!this.isAway()) this.#store(execution, true);
	}

	/** What n8n 2.41.1 stores of executions that have ended. */
	#store(execution: SimulatedExecution, hasOutput: boolean): void {
		const { truth, stored, workflow, failedAt } = execution;
		execution.storedAt = this.clock.time;
		switch (truth) {
			case 'well':
			case 'timed out':
				execution.stored = { hasOutput: true, isStackEmpty: true };
				break;
			case 'rejected': {
				const isBelow = workflow.steps[failedAt?.[1] ?? 0]?.kind === 'gate below';
				const error = isBelow ? 'n8n-nodes-base.executeWorkflow' : STOP_AND_ERROR;
				execution.stored = { error, hasOutput, isStackEmpty: false };
				break;
			}
			case 'killed': {
				const isRecovered = hasOutput && !stored.hasOutput;
				execution.stored = { error: 'none', isRecovered, hasOutput, isStackEmpty: false };
				break;
			}
			case 'stopped':
				execution.stored = { ...stored, error: 'none' };
				break;
			default:
				execution.stored = { error: 'n8n-nodes-base.httpRequest', hasOutput, isStackEmpty: false };
		}
	}

	isAway(): boolean {
		const { time } = this.clock;
		return this.outages.some(({ from, to }) => time >= from && time < to);
	}

	// What the node asks of n8n

	/** One call of the table. Its answer gets lost with the process. */
	async callTable(
		{ process, execution }: Attempt,
		...[info, inputData = [], , options]: Parameters<IExecuteFunctions['executeWorkflow']>
	): Promise<unknown> {
		const { clock } = this;
		const caller = {
			executionId: execution.id,
			get executionTimeoutTimestamp() {
				// The workflow's time limit ends the workflows inside it as well (2.41.1).
				return execution.chain.some(({ truth }) => truth === 'timed out') ? 0 : Infinity;
			},
		};
		const survives = this.random() < 0.5;
		const { latency } = this.settings.table;
		const back = this.random() * latency;
		await clock.sleep(undefined, this.random() * latency);
		// What a process sent before it died may arrive all the same.
		if (process.isDead && !survives) return await new Promise(() => {});
		const doNotWaitToFinish = options?.doNotWaitToFinish === true;
		const running = this.tables.executeWorkflow(info, caller, { inputData, doNotWaitToFinish });
		const answer = await running.then(
			(value) => ({ value }),
			(failure: unknown) => ({ failure }),
		);
		await clock.sleep(process, back);
		if ('failure' in answer) throw answer.failure as Error;
		return answer.value;
	}

	#outage(): Outage | undefined {
		if (this.isAway()) return 'before';
		if (this.random() >= this.settings.table.failures) return undefined;
		return this.random() < 0.5 ? 'before' : 'after';
	}

	/** What n8n has stored of an execution. */
	async ask({ process }: Attempt, id: string): Promise<unknown> {
		await this.clock.sleep(process, 10);
		if (this.isAway()) throw new Error('The database is away');
		const asked = this.executions.find((each) => each.id === id);
		if (asked === undefined) return undefined;
		const { truth, stored, workflow, caller } = asked;
		const isSaved = truth === 'well' ? workflow.savesWell : workflow.savesFailed;
		if (asked.storedAt <= this.clock.time && !isSaved) return undefined;
		const { error, hasOutput, isStackEmpty, isRecovered = false, waitTill } = stored;
		const madeUp = { data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] } };
		const failure = { message: 'It did not end well', node: { type: error } };
		return {
			resultData: {
				runData: hasOutput ? { Node: isRecovered ? [madeUp] : [] } : {},
				...(error !== undefined && { error: error === 'none' ? new Error('Over') : failure }),
			},
			executionData: { nodeExecutionStack: isStackEmpty ? [] : [{}] },
			waitTill,
			...(caller !== undefined && {
				parentExecution: {
					executionId: caller.id,
					workflowId: caller.workflow.name,
					shouldResume: true,
				},
			}),
		} satisfies IDataObject | object;
	}
}
