import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { useStarted } from '../support/started';
import {
	clients,
	send,
	sendJson,
	type Answer,
	type Call,
	type Extra,
	type Fields,
} from './clients';

/** A running sandbox and clients that call it. */
export interface Service {
	readonly sandbox: Sandbox;
	/** Posts a form with undici. */
	readonly form: (
		tool: string,
		fields?: Fields,
		files?: Call['files'],
		key?: string | null,
	) => Promise<Answer>;
	/** Sends a call as JSON. */
	readonly json: (tool: string, body: unknown, more?: Extra) => Promise<Answer>;
	/** Generates a small image. */
	readonly make: (fields?: Fields, more?: Extra) => Promise<Answer>;
	/** Statuses of such calls made one after another. */
	readonly statuses: (count: number) => Promise<number[]>;
	/** Makes a request of the control API. A string is sent as it is. */
	readonly control: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

/** Starts a sandbox for all of a file's tests. */
export function useSandbox(options?: SandboxOptions): Service {
	return serviceOf(useStarted(async () => await startSandbox(options)));
}

/** Closes the sandboxes of a test after it. @returns a function that starts one */
export function useSandboxes(): (options?: SandboxOptions) => Promise<Service> {
	const open: Sandbox[] = [];
	afterEach(async () => {
		await Promise.all(open.splice(0).map(async (sandbox) => await sandbox.close()));
	});
	return async (options) => {
		const sandbox = await startSandbox(options);
		open.push(sandbox);
		return serviceOf(() => sandbox);
	};
}

function serviceOf(sandbox: () => Sandbox): Service {
	const form: Service['form'] = async (tool, fields = {}, files = {}, key = 'test-key') =>
		await clients.undici({ url: sandbox().url, tool, fields, files, key });
	const json: Service['json'] = async (tool, body, more) =>
		await sendJson(sandbox().url, tool, body, more);
	const make: Service['make'] = async (fields, more) => {
		const small = { text: 'x', width: '128', height: '128' };
		return await json('text2img', { ...small, ...fields }, more);
	};
	return {
		get sandbox() {
			return sandbox();
		},
		form,
		json,
		make,
		statuses: async (count) => {
			const answers: number[] = [];
			while (answers.length < count) answers.push((await make()).status);
			return answers;
		},
		control: async (method, path, body) => {
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			return await send(`${sandbox().url}/sandbox/${path}`, {
				method,
				...(body !== undefined && { body: text }),
			});
		},
	};
}
