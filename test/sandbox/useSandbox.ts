import sharp from 'sharp';
import { fetch, FormData } from 'undici';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';

/** A running sandbox and what calls it. */
type Service = ReturnType<typeof serviceOf>;

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

/** A response of the sandbox. */
export class Answer {
	/** @param headers by name, in lower case */
	constructor(
		readonly status: number,
		readonly headers: Record<string, string>,
		readonly body: Buffer,
	) {}

	/** The body as JSON. */
	json(): Record<string, unknown> {
		return JSON.parse(this.body.toString('utf8')) as Record<string, unknown>;
	}

	/** The status, and the message in `err` or `status`. */
	outcome(): readonly [status: number, message: unknown] {
		const { err, status } = this.json();
		return [this.status, err ?? status];
	}

	/** The link of a job result. @throws Error if it is none */
	link(): string {
		if (this.status !== 200) throw new Error(`${this.status}: ${this.body.toString()}`);
		return String(this.json()['output_url']);
	}
}

export type Fields = Record<string, string>;

/** Files of a form by their field. */
type Files = Record<string, { bytes: Buffer; name?: string; type?: string }>;

interface Extra {
	headers?: Record<string, string>;
	signal?: AbortSignal;
}

/** Fetches a whole response with undici. Rejects if the connection breaks. */
export async function send(url: string, init: Parameters<typeof fetch>[1] = {}): Promise<Answer> {
	const response = await fetch(url, { redirect: 'manual', ...init });
	const body = Buffer.from(await response.arrayBuffer());
	return new Answer(response.status, Object.fromEntries(response.headers), body);
}

/** Sends a call as a form. */
export async function sendForm(
	url: string,
	tool: string,
	fields: Fields,
	files: Files = {},
	{ headers = {}, ...more }: Extra = {},
): Promise<Answer> {
	const body = new FormData();
	for (const [name, value] of Object.entries(fields)) body.append(name, value);
	for (const [name, file] of Object.entries(files)) {
		const blob = new Blob([file.bytes], { type: file.type ?? 'image/png' });
		body.append(name, blob, file.name ?? 'photo.png');
	}
	return await send(`${url}/api/${tool}`, {
		method: 'POST',
		body,
		headers: { 'api-key': 'test-key', ...headers },
		...more,
	});
}

/** Sends a call as JSON (specification 4, second encoding). A string is sent as it is. */
export async function sendJson(
	url: string,
	tool: string,
	body: unknown,
	{ headers = {}, ...more }: Extra = {},
): Promise<Answer> {
	return await send(`${url}/api/${tool}`, {
		method: 'POST',
		body: typeof body === 'string' ? body : JSON.stringify(body),
		headers: { 'content-type': 'application/json', 'api-key': 'test-key', ...headers },
		...more,
	});
}

/** Downloads the generated file of a job result. */
export async function fileOf(result: Answer): Promise<Answer> {
	return await send(result.link());
}

/** Returns why a request failed: the code of its innermost cause, or else the error's name. */
export async function failure(call: Promise<unknown>): Promise<string> {
	return await call.then(() => 'no failure', codeOf);
}

function codeOf(error: unknown): string {
	if (typeof error !== 'object' || error === null) return String(error);
	if ('cause' in error && error.cause) return codeOf(error.cause);
	if ('code' in error && typeof error.code === 'string') return error.code;
	return 'name' in error ? String(error.name) : 'unknown';
}
