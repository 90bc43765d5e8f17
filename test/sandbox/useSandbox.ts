import sharp from 'sharp';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import {
	send,
	sendForm,
	sendJson,
	type Answer,
	type Extra,
	type Fields,
	type Files,
} from './clients';

/** A running sandbox and what calls it. */
export type Service = ReturnType<typeof serviceOf>;

/** Starts a sandbox for all of a file's tests, each of which begins with a new account. */
export function useSandbox(options?: SandboxOptions): Service {
	let sandbox: Sandbox | undefined;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	beforeEach(async () => {
		await sandbox?.reset();
	});
	afterAll(async () => {
		await sandbox?.close();
	});
	return serviceOf(() => sandbox as Sandbox);
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
	/** Sends a call as JSON. */
	const json = async (tool: string, body: unknown, more?: Extra) =>
		await sendJson(sandbox().url, tool, body, more);
	/** Generates a small image. */
	const make = async (fields: Fields = {}, more?: Extra) =>
		await json('text2img', { text: 'x', width: '128', height: '128', ...fields }, more);
	return {
		get sandbox() {
			return sandbox();
		},
		/** Sends a call as a form. */
		form: async (tool: string, fields: Fields = {}, files?: Files, more?: Extra): Promise<Answer> =>
			await sendForm(sandbox().url, tool, fields, files, more),
		json,
		make,
		/** Statuses of calls made one after another. */
		statuses: async (count: number) => {
			const answers: number[] = [];
			while (answers.length < count) answers.push((await make()).status);
			return answers;
		},
		/** Makes a request of the control API. A string is sent as it is. */
		control: async (method: string, path: string, body?: unknown) => {
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			return await send(`${sandbox().url}/sandbox/${path}`, {
				method,
				...(body !== undefined && { body: text }),
			});
		},
	};
}

/** A red disc on a light background, 96 x 64 pixels. */
export async function disc(): Promise<Buffer> {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64">
		<rect width="96" height="64" fill="#eef"/><circle cx="40" cy="34" r="20" fill="#c22"/></svg>`;
	return await sharp(Buffer.from(svg)).flatten().png().toBuffer();
}
