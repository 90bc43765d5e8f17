import type { N8nSession } from '../../../scripts/host/N8nSession.mjs';
import { pending, type Execution, type StoredFile } from './execution.mjs';
import { untilN8n } from './until.mjs';
import type { WorkflowBody } from './workflow.mjs';

/** Creates an API key with all scopes. */
export async function createApiKey(session: N8nSession): Promise<string> {
	const scopes = await session.get('/api-keys/scopes');
	const key = { label: 'tests', scopes, expiresAt: null };
	return ((await session.post('/api-keys', key)) as { rawApiKey: string }).rawApiKey;
}

/** n8n's public REST API, version 1, which is the same in 1.123.81 and 2.41.1. */
export class N8nApi {
	constructor(
		private readonly session: N8nSession,
		private readonly key: string,
	) {}

	/** Uses the editor's API: the public one requires hidden fields (1.123.81). */
	async createCredential(name: string, type: string, data: object): Promise<string> {
		const { id } = (await this.session.post('/credentials', { name, type, data })) as {
			id: string;
		};
		return id;
	}

	/** Uses the editor's API: the public one drops some settings (2.40.3). */
	async createWorkflow(body: WorkflowBody): Promise<string> {
		// As the editor saves it. Without pinned data, n8n can't execute a single step again (2.41.1).
		const saved = { pinData: {}, ...body, active: false };
		const { id } = (await this.session.post('/workflows', saved)) as { id: string };
		return id;
	}

	/**
	 * Saves and activates a workflow.
	 * @param address of its trigger
	 * @returns its id once the address responds
	 */
	async publish(body: WorkflowBody, address: string): Promise<string> {
		const id = await this.createWorkflow(body);
		await this.activate(id);
		await this.#untilListening(address);
		return id;
	}

	async activate(workflowId: string): Promise<void> {
		await this.#call('POST', `/workflows/${workflowId}/activate`, {});
	}

	/** Changes an option of a node in a published workflow, which begins with a webhook. */
	async setOption(
		{ id, path: webhook }: { id: string; path: string },
		node: string,
		option: string,
		value: unknown,
	): Promise<void> {
		// Otherwise the old version may run for a while (2.41.1).
		await this.deactivate(id);
		const path = `/workflows/${id}`;
		const { nodes, connections, versionId } = (await this.session.get(path)) as WorkflowBody & {
			versionId: string;
		};
		const changed = nodes.map((each) => {
			if (each.name !== node) return each;
			const options = { ...(each.parameters.options as object), [option]: value };
			return { ...each, parameters: { ...each.parameters, options } };
		});
		await this.session.patch(path, { nodes: changed, connections, versionId });
		await this.activate(id);
		await this.#untilListening(`/webhook/${webhook}`);
	}

	async #untilListening(address: string): Promise<void> {
		// n8n 2.40.3 reports a workflow as active before its URL responds.
		await untilN8n(`${address} listens`, async () => {
			const { headers } = await fetch(`${this.session.url}${address}`, {
				method: 'OPTIONS',
				headers: { origin: this.session.url },
			});
			return headers.get('access-control-allow-methods')?.includes('POST') === true;
		});
	}

	/** Stops its triggers; running executions continue. */
	async deactivate(workflowId: string): Promise<void> {
		await this.#call('POST', `/workflows/${workflowId}/deactivate`, {});
	}

	/** Stops a workflow's running executions, like the Stop button. */
	async stopAll(workflowId: string): Promise<void> {
		const ids = await this.#pending(workflowId);
		await Promise.all(ids.map((id) => this.session.post(`/executions/${id}/stop`, {})));
	}

	/** All executions of a workflow, once at least `count` have begun and all have finished. */
	async finished(workflowId: string, count: number): Promise<Execution[]> {
		const all = await this.untilFinished(workflowId, count);
		return await Promise.all(all.map(async ({ id }) => await this.execution(id)));
	}

	/** As `finished`, without their data. */
	async untilFinished(workflowId: string, count: number): Promise<Array<Omit<Execution, 'data'>>> {
		let all: Array<Omit<Execution, 'data'>> = [];
		await untilN8n(`${count} executions of workflow ${workflowId} are over`, async () => {
			// One list, because an execution may begin between two.
			all = await this.executions(workflowId);
			return all.length >= count && !all.some(({ status }) => pending.includes(status));
		});
		return all;
	}

	async #pending(workflowId: string): Promise<string[]> {
		const listed = await this.#list({
			workflowId,
			status: pending,
		});
		return listed.map(({ id }) => id);
	}

	/** A workflow's latest execution, once it has finished. */
	async lastExecution(workflowId: string): Promise<Execution> {
		return await this.#last(workflowId, () => true);
	}

	/** Begins an execution of a workflow. @returns it, once it has finished */
	async run(workflowId: string, begin: () => Promise<unknown>): Promise<Execution> {
		const earlier = new Set((await this.executions(workflowId)).map(({ id }) => id));
		await begin();
		return await this.#last(workflowId, ({ id }) => !earlier.has(id));
	}

	async #last(workflowId: string, isMeant: (execution: Omit<Execution, 'data'>) => boolean) {
		let found: string | undefined;
		await untilN8n(`an execution of workflow ${workflowId} is over`, async () => {
			const latest = (await this.executions(workflowId)).find(isMeant);
			if (latest !== undefined && !pending.includes(latest.status)) found = latest.id;
			return found !== undefined;
		});
		return await this.execution(found ?? '');
	}

	/** A workflow's executions, latest first, without their data. */
	async executions(workflowId: string): Promise<Omit<Execution, 'data'>[]> {
		return await this.#list({ workflowId });
	}

	/**
	 * Uses the editor's API. The public one hides what n8n's main process takes for running. In queue mode
	 * these may be finished executions: if one ends before the main process waits for it, it waits forever
	 * (2.41.1 and 1.123.81).
	 */
	async #list(filter: object): Promise<Omit<Execution, 'data'>[]> {
		const query = new URLSearchParams({
			filter: JSON.stringify(filter),
			limit: '100',
		});
		const { results } = (await this.session.get(`/executions?${query.toString()}`)) as {
			results: Omit<Execution, 'data'>[];
		};
		return results.filter(isLasting);
	}

	async execution(id: string): Promise<Execution> {
		return (await this.#call('GET', `/executions/${id}?includeData=true`)) as Execution;
	}

	/**
	 * Repeats a failed execution like Retry in the list of executions, with the currently saved workflow.
	 * @returns the new execution, once it has finished
	 */
	async retry(workflowId: string, id: string): Promise<Execution> {
		const stop = new AbortController();
		const path = `/executions/${id}/retry`;
		const retry = this.#call('POST', path, { loadWorkflow: true }, stop.signal);
		const over = this.#last(workflowId, ({ retryOf }) => String(retryOf) === id);
		// In queue mode n8n may never respond (see #list), so the response only tells whether it refused.
		const execution = await Promise.race([over, retry.then(async () => await over)]);
		stop.abort();
		return execution;
	}

	/** The bytes of an execution's file. */
	async bytesOf(file: StoredFile): Promise<Buffer> {
		if (file.id === undefined) return Buffer.from(file.data, 'base64');
		const query = new URLSearchParams({ id: file.id, action: 'download' });
		const answer = await fetch(`${this.session.url}/rest/binary-data?${query.toString()}`, {
			headers: { cookie: this.session.cookie },
		});
		if (!answer.ok) throw new Error(`n8n has no file ${file.id}: ${answer.status}`);
		return Buffer.from(await answer.arrayBuffer());
	}

	async #call(method: string, path: string, body?: unknown, signal?: AbortSignal) {
		const answer = await fetch(`${this.session.url}/api/v1${path}`, {
			method,
			headers: {
				'X-N8N-API-KEY': this.key,
				'content-type': 'application/json',
				// If n8n is busy for longer than it keeps a connection, it closes one with a request on it.
				connection: 'close',
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
			...(signal !== undefined && { signal }),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`n8n refused ${method} ${path}: ${answer.status} ${text}`);
		return JSON.parse(text) as unknown;
	}
}

/**
 * Whether n8n lists an execution for good. While a worker writes to a Purchase Log, n8n also lists the
 * workflow inside the execution, with the same workflow id, and deletes it a moment later (1.123.81 in
 * queue mode).
 */
function isLasting({ mode }: { mode: string }): boolean {
	return mode !== 'integrated';
}
