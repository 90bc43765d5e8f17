import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { useStarted } from '../support/started';
import { clients, fileOf, send, sendJson, type Call, type Extra, type Fields } from './clients';

/** A running sandbox and clients that call it. */
export type Service = ReturnType<typeof serviceOf>;

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

function serviceOf(sandbox: () => Sandbox) {
	const json = async (tool: string, body: unknown, more?: Extra) =>
		await sendJson(sandbox().url, tool, body, more);
	const make = async (fields?: Fields, more?: Extra) =>
		await json('text2img', { text: 'x', width: '128', height: '128', ...fields }, more);
	const form = async (
		tool: string,
		fields: Fields = {},
		files: Call['files'] = {},
		key: string | null = 'test-key',
	) => await clients.undici({ url: sandbox().url, tool, fields, files, key });
	return {
		get sandbox() {
			return sandbox();
		},
		/** Posts a form with undici. */
		form,
		/** The picture that a tool draws, by default from no image. */
		picture: async (tool: string, fields?: Fields, image?: Buffer) =>
			(await fileOf(await form(tool, fields, image && { image: { bytes: image } }))).body,
		/** Sends a call as JSON. */
		json,
		/** Generates a small image. */
		make,
		/** Statuses of such calls made one after another. */
		statuses: async (count: number) => {
			const answers: number[] = [];
			for (let call = 0; call < count; call++) answers.push((await make()).status);
			return answers;
		},
		/** Fetches a path. */
		get: async (path: string) => await send(`${sandbox().url}${path}`),
		/** Makes a request of the control API. A string is sent as it is. */
		control: async (method: string, path: string, body?: unknown) =>
			await send(`${sandbox().url}/sandbox/${path}`, {
				method,
				...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
			}),
	};
}
