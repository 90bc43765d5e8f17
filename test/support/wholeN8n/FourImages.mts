import assert from 'node:assert/strict';
import { assertSuccess, idsIn, rowsOf, type Execution } from './execution.mjs';
import type { Fixture } from './fixture.mjs';
import {
	callOf,
	itsPrompt,
	laterRequest,
	resumeUrl,
	splitOut,
	untilCalled,
	webhook,
} from './nodes.mjs';
import { until, untilN8n } from './until.mjs';
import type { WorkflowNode } from './workflow.mjs';

export interface Settings {
	/** Name of the node's Purchase Log, which needs n8n 2. */
	log?: string;
	/** Options of the node, which buys one image at a time by default. */
	options?: Record<string, unknown>;
	/** Other settings of the node. */
	node?: Partial<WorkflowNode>;
	/** Settings of Execute Workflow, which makes the node run in a sub-workflow. */
	caller?: Partial<WorkflowNode>;
	/** Whether another node comes last, which calls the service by itself. */
	hasLaterNode?: boolean;
	/** Whether it waits before it asks for images, until it is called once more. */
	waits?: boolean;
	/** Settings of the workflow. */
	settings?: Record<string, unknown>;
}

/** A published workflow that generates an image for each prompt of a call, which are four. */
export class FourImages {
	private constructor(
		private readonly fixture: Fixture,
		readonly path: string,
		readonly id: string,
		private readonly settings: Settings,
	) {}

	/** Publishes one, named as its path. */
	static async publish(
		fixture: Fixture,
		path: string,
		settings: Settings = {},
	): Promise<FourImages> {
		const { log, options, node, caller, hasLaterNode, waits } = settings;
		const parameters = {
			operation: 'generate',
			prompt: itsPrompt,
			size: '128x128',
			options: { concurrency: 1, ...(log !== undefined && { purchaseLog: log }), ...options },
		};
		const nodes = [webhook(path, 'onReceived')];
		if (waits) nodes.push(resumeUrl, untilCalled);
		nodes.push(splitOut);
		const generate = fixture.node('Generate', parameters, node);
		if (caller === undefined) nodes.push(generate);
		else {
			const called = await fixture.publishCalled(`Called by ${path}`, generate);
			nodes.push({ ...callOf(called), ...caller });
		}
		if (hasLaterNode) nodes.push(laterRequest(fixture.sandbox.url, laterPrompt(path)));
		const id = await fixture.publish(nodes, { settings: settings.settings ?? {} });
		return new FourImages(fixture, path, id, settings);
	}

	/** What it asks for. */
	get prompts(): [string, string, string, string] {
		const { path } = this;
		return [`${path} fox`, `${path} hare`, `${path} crow`, `${path} owl`];
	}

	/** How often each of its images was charged. */
	get charges(): number[] {
		return this.prompts.map((prompt) => this.fixture.charged(prompt).length);
	}

	/** The ids of the first images that were charged for its prompts. */
	get firstIds(): Array<string | undefined> {
		return this.prompts.map((prompt) => this.fixture.charged(prompt)[0]?.jobId);
	}

	/** The ids of the images that an execution delivered. */
	idsIn(execution: Execution): string[] {
		return idsIn(execution, this.#lastNode);
	}

	/** Calls it. */
	async call(prompts: string[] = this.prompts): Promise<void> {
		await this.fixture.call(this.path, { prompts });
		if (this.settings.waits) await this.#goOn(prompts);
	}

	/** Runs it. @returns the execution, once it has finished */
	async run(prompts?: string[]): Promise<Execution> {
		return await this.fixture.api.run(this.id, async () => await this.call(prompts));
	}

	/** Runs it, and does something while its second image is in progress, which takes four seconds. */
	async runAndDo(change: () => Promise<void>): Promise<Execution> {
		const [, hare] = this.prompts;
		this.fixture.sandbox.arm({ fault: 'delay', delayMs: 4000, when: hare });
		return await this.fixture.api.run(this.id, async () => {
			await this.call();
			await until(`${hare} is in progress`, () => this.fixture.calls(hare).length === 1);
			await change();
		});
	}

	/** Begins an execution whose third image is charged, and arrives after some seconds. */
	async beginSlowly(seconds: number): Promise<void> {
		const [, , crow] = this.prompts;
		this.fixture.sandbox.arm({ fault: 'delay-after', delayMs: seconds * 1000, when: crow });
		await this.call();
		await until(`${crow} is charged`, () => this.fixture.charged(crow).length === 1);
	}

	/** Begins an execution that has all images, and whose later node hangs. */
	async hangLater(): Promise<void> {
		const prompt = laterPrompt(this.path);
		this.fixture.sandbox.arm({ fault: 'hang', when: prompt });
		const before = this.fixture.calls(prompt).length;
		await this.call();
		await until(`${prompt} is in progress`, () => this.fixture.calls(prompt).length > before);
	}

	/** Begins an execution that has all images, and whose later node fails. */
	async callIntoFailure(): Promise<void> {
		this.fixture.sandbox.arm({ fault: 'status', status: 400, when: laterPrompt(this.path) });
		await this.call();
	}

	/** Runs it into a failure of its later node. */
	async failLater(): Promise<Execution> {
		const failed = await this.fixture.api.run(this.id, async () => await this.callIntoFailure());
		assert.equal(failed.status, 'error');
		return failed;
	}

	/** Stops its executions, like the Stop button, and waits until n8n has stored that. */
	async stop(): Promise<void> {
		await this.fixture.api.stopAll(this.id);
		assert.equal((await this.fixture.api.lastExecution(this.id)).status, 'canceled');
	}

	/** Asserts that an execution delivered the image that was last charged for each prompt. */
	async assertDelivered(execution: Execution): Promise<void> {
		const { fixture, prompts } = this;
		assertSuccess(execution);
		assert.deepEqual(
			this.idsIn(execution),
			prompts.map((prompt) => fixture.charged(prompt).at(-1)?.jobId),
		);
		await fixture.assertStored(execution, this.#lastNode);
	}

	/** Asserts that an execution delivered all images, each of which was charged once. */
	async assertPaidOnce(execution: Execution): Promise<void> {
		await this.assertDelivered(execution);
		assert.deepEqual(this.charges, [1, 1, 1, 1]);
	}

	get #lastNode(): string {
		return this.settings.caller === undefined ? 'Generate' : 'Call';
	}

	/** Calls its latest execution once more, because it waits for that. */
	async #goOn(prompts: string[]): Promise<void> {
		const { api } = this.fixture;
		const waiting = async () => {
			const [latest] = await api.executions(this.id);
			return latest?.status === 'waiting' ? latest.id : undefined;
		};
		await untilN8n('it waits', async () => (await waiting()) !== undefined);
		const [row] = rowsOf(await api.execution((await waiting()) ?? ''), resumeUrl.name);
		const answer = await fetch(String(row?.json.url), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ prompts }),
		});
		assert.equal(answer.status, 200, await answer.text());
	}
}

/** What the later node of a workflow asks for. */
function laterPrompt(path: string): string {
	return `${path} later`;
}
