import assert from 'node:assert/strict';
import { assertSuccess, idsIn, rowsOf, type Execution } from './execution.mjs';
import type { Fixture } from './fixture.mjs';
import { itsPrompt, resumeUrl, splitOut, untilCalled, webhook } from './nodes.mjs';
import { until } from './until.mjs';
import type { WorkflowNode } from './workflow.mjs';

export interface Settings {
	/** Whether it has a Purchase Log, which needs n8n 2, or the name of one that others use as well. */
	log?: boolean | string;
	/** Options of the node, which buys one image at a time by default. */
	options?: Record<string, unknown>;
	/** Other settings of the node. */
	node?: Partial<WorkflowNode>;
	/** Whether another node comes after it, which buys one image more. */
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
		private logTable: string,
		private readonly waits: boolean,
	) {}

	/** Name of its Purchase Log's table; empty without a log. */
	get table(): string {
		return this.logTable;
	}

	/** Publishes one, named as its path. */
	static async publish(
		fixture: Fixture,
		path: string,
		{ log, options, node, hasLaterNode, waits = false, settings = {} }: Settings = {},
	): Promise<FourImages> {
		// SQLite does not know this capital.
		const own = log === true ? `Übersicht ${path}` : '';
		const table = typeof log === 'string' ? log : own;
		const parameters = {
			operation: 'generate',
			prompt: itsPrompt,
			size: '128x128',
			options: { concurrency: 1, ...(table && { purchaseLog: table }), ...options },
		};
		const nodes = [
			webhook(path, 'onReceived'),
			...(waits ? [resumeUrl, untilCalled] : []),
			splitOut,
			fixture.node('Generate', parameters, node),
		];
		const later = { operation: 'generate', prompt: laterPrompt(path), size: '128x128' };
		if (hasLaterNode) nodes.push(fixture.node('Later', later, { executeOnce: true }));
		const id = await fixture.publish(nodes, { settings });
		return new FourImages(fixture, path, id, table, waits);
	}

	/** What it asks for. */
	get prompts(): [string, string, string, string] {
		const { path } = this;
		return [`${path} fox`, `${path} hare`, `${path} crow`, `${path} owl`];
	}

	/** What its later node asks for. */
	get laterPrompt(): string {
		return laterPrompt(this.path);
	}

	/** How often each of its images was charged. */
	get charges(): number[] {
		return this.prompts.map((prompt) => this.fixture.charged(prompt).length);
	}

	/** The ids of the first images that were charged for its prompts. */
	get firstIds(): Array<string | undefined> {
		return this.prompts.map((prompt) => this.fixture.charged(prompt)[0]?.jobId);
	}

	/** Calls it. */
	async call(prompts: string[] = this.prompts): Promise<void> {
		await this.fixture.call(this.path, { prompts });
		if (this.waits) await this.goOn(prompts);
	}

	/** Calls its latest execution once more, because it waits for that. */
	private async goOn(prompts: string[]): Promise<void> {
		const { api } = this.fixture;
		const waiting = async () => {
			const [latest] = await api.executions(this.id);
			return latest?.status === 'waiting' ? latest.id : undefined;
		};
		await until('it waits', async () => (await waiting()) !== undefined);
		const [row] = rowsOf(await api.execution((await waiting()) ?? ''), resumeUrl.name);
		const answer = await fetch(String(row?.json.url), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ prompts }),
		});
		assert.equal(answer.status, 200, await answer.text());
	}

	/** Publishes one and begins an execution whose third image hangs. */
	static async begin(fixture: Fixture, path: string, settings?: Settings): Promise<FourImages> {
		const flow = await FourImages.publish(fixture, path, settings);
		await flow.hang();
		return flow;
	}

	/** Begins an execution whose third image hangs. Waits until two are finished, and in its Purchase Log. */
	async hang(): Promise<void> {
		const [, , crow] = this.prompts;
		this.fixture.sandbox.arm({ fault: 'hang', when: crow });
		await this.callUntil(crow);
	}

	/** Calls it, and waits until the image for one of its prompts is in progress. */
	async callUntil(prompt: string): Promise<void> {
		await this.call();
		await until(`${prompt} is in progress`, () => this.fixture.calls(prompt).length === 1);
	}

	/** Begins an execution that has all images, and whose later node hangs. @param begin Calls it, unless it is Retry. */
	async hangLater(begin?: () => void): Promise<void> {
		this.fixture.sandbox.arm({ fault: 'hang', when: this.laterPrompt });
		await this.callUntilLater(begin);
	}

	/** Calls it, and waits until the later node's image is in progress. */
	async callUntilLater(begin: () => unknown = async () => await this.call()): Promise<void> {
		const prompt = this.laterPrompt;
		const before = this.fixture.calls(prompt).length;
		await begin();
		await until(`${prompt} is in progress`, () => this.fixture.calls(prompt).length > before);
	}

	/** Lets the service refuse the third image once, which is free. */
	refuseThird(): void {
		this.fixture.sandbox.arm({ fault: 'status', status: 400, when: this.prompts[2] });
	}

	/** Runs it into a refusal of the third image, while n8n does not save failed executions. */
	async failUnsaved(): Promise<void> {
		const { fixture, id, prompts } = this;
		this.refuseThird();
		await this.call();
		await until('it has failed, and n8n has forgotten it', async () => {
			const isRefused = fixture.calls(prompts[2]).some(({ status }) => status === 400);
			return isRefused && (await fixture.api.executions(id)).length === 0;
		});
	}

	/** Gives the node another table for its Purchase Log. */
	async useTable(name: string): Promise<void> {
		const address = `/webhook/${this.path}`;
		await this.fixture.api.setOption(this.id, address, 'Generate', 'purchaseLog', name);
		this.logTable = name;
	}

	/** Runs it, and does something while its second image is in progress. */
	async runAndDo(change: () => Promise<void>): Promise<Execution> {
		const [, hare] = this.prompts;
		// Long enough for the change.
		this.fixture.sandbox.arm({ fault: 'delay', delayMs: 4000, when: hare });
		return await this.fixture.api.run(this.id, async () => {
			await this.callUntil(hare);
			await change();
		});
	}

	/** Runs it. @returns the execution, once it has finished */
	async run(prompts?: string[]): Promise<Execution> {
		return await this.fixture.api.run(this.id, async () => await this.call(prompts));
	}

	/** Asserts that the next run buys only what the begun one has not finished. */
	async assertTakenOver(): Promise<void> {
		this.fixture.sandbox.disarm();
		await this.assertCompleted(await this.run());
	}

	/** Asserts that an execution delivered the image that was last charged for each prompt. */
	async assertDelivered(execution: Execution): Promise<void> {
		const { fixture, prompts } = this;
		assertSuccess(execution);
		assert.deepEqual(
			idsIn(execution, 'Generate'),
			prompts.map((prompt) => fixture.charged(prompt).at(-1)?.jobId),
		);
		await fixture.assertStored(execution, 'Generate');
	}

	/**
	 * Asserts that an execution delivered all images, each of which was charged once.
	 * @param requests how often the third was asked for
	 */
	async assertCompleted(execution: Execution, requests = 2): Promise<void> {
		const { fixture, prompts } = this;
		assertSuccess(execution);
		const charged = prompts.map((prompt) => fixture.charged(prompt).map(({ jobId }) => jobId));
		assert.deepEqual(
			charged,
			idsIn(execution, 'Generate').map((id) => [id]),
		);
		await fixture.assertStored(execution, 'Generate');
		assert.equal(fixture.calls(prompts[2]).length, requests);
	}
}

/** What the later node of a workflow asks for. */
function laterPrompt(path: string): string {
	return `${path} later`;
}
