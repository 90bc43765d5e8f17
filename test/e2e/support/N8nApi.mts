import type { N8nSession } from '../../../scripts/host/N8nSession.mjs';
import { until } from './until.mjs';
import type { WorkflowBody } from './workflow.mjs';

/** A row that a node gave out. */
export interface Row {
	json: Record<string, unknown>;
	binary?: Record<string, StoredFile>;
	pairedItem?: unknown;
	error?: unknown;
}

/** A file of a row, as n8n keeps it: by `id`, or as base64 in `data`. */
export interface StoredFile {
	data: string;
	mimeType: string;
	fileName?: string;
	fileExtension?: string;
	id?: string;
}

/** One run of a node. */
export interface NodeRun {
	executionTime: number;
	data?: Record<string, (Row[] | null)[]>;
	error?: { message: string; description?: string; httpCode?: string };
	metadata?: Record<string, unknown>;
	hints?: { message: string }[];
}

/** A finished execution with all that its nodes gave out. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	/** As n8n keeps it beside the data. */
	customData?: Record<string, string>;
	data: {
		resultData: {
			runData: Partial<Record<string, NodeRun[]>>;
			error?: { message: string; description?: string };
			lastNodeExecuted?: string;
			/** The execution's custom data. */
			metadata?: Record<string, string>;
		};
	};
}

/** The states of an execution that is not over. */
export const pending = ['new', 'running', 'waiting'];

/** n8n's public REST interface, version 1: the same in 1.123.81 and 2.40.3. */
export class N8nApi {
	private constructor(
		private readonly session: N8nSession,
		private readonly key: string,
	) {}

	/** Makes an API key that may do everything. */
	static async open(session: N8nSession): Promise<N8nApi> {
		const scopes = await session.get('/api-keys/scopes');
		const { rawApiKey } = (await session.post('/api-keys', {
			label: 'tests',
			scopes,
			expiresAt: null,
		})) as { rawApiKey: string };
		return new N8nApi(session, rawApiKey);
	}

	/** As the editor does: the public interface asks for hidden fields, too (1.123.81). */
	async createCredential(name: string, type: string, data: object): Promise<string> {
		const { id } = (await this.session.post('/credentials', { name, type, data })) as {
			id: string;
		};
		return id;
	}

	/** As the editor does; the whole credential, because nothing of the old one stays. */
	async editCredential(id: string, name: string, type: string, data: object): Promise<void> {
		await this.session.patch(`/credentials/${id}`, { name, type, data });
	}

	/** As the editor does: the public interface drops some settings (2.40.3). */
	async createWorkflow(body: WorkflowBody): Promise<string> {
		const { id } = (await this.session.post('/workflows', { ...body, active: false })) as {
			id: string;
		};
		return id;
	}

	/** Saves a workflow and activates it. Returns its id when its address listens. */
	async publish(body: WorkflowBody, address: string): Promise<string> {
		const id = await this.createWorkflow(body);
		await this.activate(id);
		// n8n 2.40.3 says that the workflow is active before its address listens.
		await until(`${address} listens`, async () => {
			const { headers } = await fetch(`${this.session.url}${address}`, {
				method: 'OPTIONS',
				headers: { origin: this.session.url },
			});
			return headers.get('access-control-allow-methods')?.includes('POST') === true;
		});
		return id;
	}

	async activate(workflowId: string): Promise<void> {
		await this.#call('POST', `/workflows/${workflowId}/activate`, {});
	}

	/** Nothing starts it any more; what has begun goes on. */
	async deactivate(workflowId: string): Promise<void> {
		await this.#call('POST', `/workflows/${workflowId}/deactivate`, {});
	}

	/** Stops what runs of a workflow, as the Stop button does. */
	async stopAll(workflowId: string): Promise<void> {
		const filter = JSON.stringify({ workflowId, status: pending });
		const query = new URLSearchParams({ filter });
		const { results } = (await this.session.get(`/executions?${query.toString()}`)) as {
			results: Array<{ id: string }>;
		};
		await Promise.all(
			results.map(async ({ id }) => await this.session.post(`/executions/${id}/stop`, {})),
		);
	}

	/** All executions of a workflow that nothing starts any more, as soon as they are over. */
	async finishedExecutions(workflowId: string): Promise<Execution[]> {
		const filter = JSON.stringify({ workflowId, status: pending });
		const query = new URLSearchParams({ filter });
		await until(`all executions of workflow ${workflowId} are over`, async () => {
			// As the editor does: the public interface hides what is under way.
			const { results } = (await this.session.get(`/executions?${query.toString()}`)) as {
				results: unknown[];
			};
			return results.length === 0;
		});
		const all = await this.executions(workflowId);
		return await Promise.all(all.map(async ({ id }) => await this.execution(id)));
	}

	/** The latest execution of a workflow, as soon as it is over. */
	async lastExecution(workflowId: string): Promise<Execution> {
		return await this.#last(workflowId, () => true);
	}

	/** The latest Retry of an execution of a workflow, as soon as it is over. */
	async lastRetry(workflowId: string): Promise<Execution> {
		return await this.#last(workflowId, ({ mode }) => mode === 'retry');
	}

	async #last(
		workflowId: string,
		isMeant: (execution: Pick<Execution, 'mode'>) => boolean,
	): Promise<Execution> {
		let found: string | undefined;
		await until(`an execution of workflow ${workflowId} is over`, async () => {
			const latest = (await this.executions(workflowId)).find(isMeant);
			if (latest !== undefined && !pending.includes(latest.status)) found = latest.id;
			return found !== undefined;
		});
		return await this.execution(found ?? '');
	}

	/** All executions of a workflow, latest first, without their data. */
	async executions(workflowId: string): Promise<Omit<Execution, 'data'>[]> {
		const query = new URLSearchParams({ workflowId, limit: '250' });
		const { data } = (await this.#call('GET', `/executions?${query.toString()}`)) as {
			data: Omit<Execution, 'data'>[];
		};
		return data;
	}

	async execution(id: string): Promise<Execution> {
		return (await this.#call('GET', `/executions/${id}?includeData=true`)) as Execution;
	}

	/** Runs a failed execution again, as Retry in the list of executions does, and waits for its end. */
	async retry(id: string, workflow: 'currently saved' | 'original'): Promise<void> {
		const loadWorkflow = workflow === 'currently saved';
		await this.#call('POST', `/executions/${id}/retry`, { loadWorkflow });
	}

	/** The bytes of a file that an execution gave out. */
	async bytesOf(file: StoredFile): Promise<Buffer> {
		if (file.id === undefined) return Buffer.from(file.data, 'base64');
		const query = new URLSearchParams({ id: file.id, action: 'download' });
		const answer = await fetch(`${this.session.url}/rest/binary-data?${query.toString()}`, {
			headers: { cookie: this.session.cookie },
		});
		if (!answer.ok) throw new Error(`n8n has no file ${file.id}: ${answer.status}`);
		return Buffer.from(await answer.arrayBuffer());
	}

	async #call(method: string, path: string, body?: unknown): Promise<unknown> {
		const answer = await fetch(`${this.session.url}/api/v1${path}`, {
			method,
			headers: { 'X-N8N-API-KEY': this.key, 'content-type': 'application/json' },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`n8n refused ${method} ${path}: ${answer.status} ${text}`);
		return JSON.parse(text) as unknown;
	}
}
