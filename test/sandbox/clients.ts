import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fetch, FormData } from 'undici';

/** A response, whichever client received it. */
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

	/** `err` or `status`, or an empty string. */
	message(): string {
		const { err, status } = this.json();
		const found = [err, status].find((text) => typeof text === 'string');
		return typeof found === 'string' ? found : '';
	}

	/** The status and the message. */
	outcome(): readonly [status: number, message: string] {
		return [this.status, this.message()];
	}

	/** The link of a job result. @throws Error if it is none */
	link(): string {
		if (this.status !== 200) throw new Error(`${this.status}: ${this.body.toString()}`);
		return String(this.json()['output_url']);
	}
}

export type Fields = Record<string, string>;

export interface Call {
	url: string;
	tool: string;
	fields?: Fields;
	files?: Record<string, { bytes: Buffer; name?: string; type?: string }>;
	key?: string | null;
	signal?: AbortSignal;
}

export interface Extra {
	headers?: Record<string, string>;
	signal?: AbortSignal;
}

/** Clients from outside this project. Each posts a form. */
export const clients = { curl, undici };

/** curl -F, with files from stdin. */
async function curl({ url, tool, fields = {}, files = {} }: Omit<Call, 'key'>): Promise<Answer> {
	const args = ['-sS', '-i', '-H', 'Expect:', '-H', 'api-key: test-key'];
	for (const [name, value] of Object.entries(fields))
		args.push('--form-string', `${name}=${value}`);
	let input: Buffer | undefined;
	for (const [name, file] of Object.entries(files)) {
		args.push('-F', `${name}=@-;filename=${file.name ?? 'photo.png'};type=image/png`);
		input = file.bytes;
	}
	const running = promisify(execFile)('curl', [...args, `${url}/api/${tool}`], {
		encoding: 'buffer',
	});
	running.child.stdin?.end(input);
	return parse((await running).stdout);
}

/** undici's fetch and FormData, which are part of Node. */
async function undici({ url, tool, fields = {}, files = {}, key = 'test-key', signal }: Call) {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	for (const [name, file] of Object.entries(files)) {
		const blob = new Blob([file.bytes], { type: file.type ?? 'image/png' });
		form.append(name, blob, file.name ?? 'photo.png');
	}
	return await send(`${url}/api/${tool}`, {
		method: 'POST',
		body: form,
		headers: key === null ? {} : { 'api-key': key },
		...(signal && { signal }),
	});
}

/** Fetches a whole response with undici. Rejects if the connection breaks. */
export async function send(url: string, init: Parameters<typeof fetch>[1] = {}): Promise<Answer> {
	const response = await fetch(url, { redirect: 'manual', ...init });
	const body = Buffer.from(await response.arrayBuffer());
	return new Answer(response.status, Object.fromEntries(response.headers), body);
}

/** Sends a call as JSON (specification 4, second encoding). A string is sent as it is. */
export async function sendJson(
	url: string,
	tool: string,
	body: unknown,
	{ headers = {}, signal }: Extra = {},
): Promise<Answer> {
	return await send(`${url}/api/${tool}`, {
		method: 'POST',
		body: typeof body === 'string' ? body : JSON.stringify(body),
		headers: { 'content-type': 'application/json', 'api-key': 'test-key', ...headers },
		...(signal && { signal }),
	});
}

/** Reads a response that curl printed. */
function parse(response: Buffer): Answer {
	const split = response.indexOf('\r\n\r\n');
	const [first = '', ...lines] = response.subarray(0, split).toString('latin1').split('\r\n');
	const headers = lines.map((line) => {
		const colon = line.indexOf(':');
		return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
	});
	const status = Number(first.split(' ')[1]);
	return new Answer(status, Object.fromEntries(headers), response.subarray(split + 4));
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
