import { execFile } from 'node:child_process';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import FormData from 'form-data';
import { fetch, FormData as UndiciForm } from 'undici';

/** A response, whichever client received it. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
	/** The body as a JSON object. */
	json(): Record<string, unknown>;
	/** `err` or `status`, or an empty string. */
	message(): string;
}

/** A file to upload. */
export interface File {
	bytes: Buffer;
	name?: string;
	type?: string;
}

export type Fields = Record<string, string>;

interface Call {
	url: string;
	tool: string;
	fields?: Fields;
	files?: Record<string, File>;
	key?: string | null;
}

/** Clients from outside this project. Each posts a form. */
export const clients = { curl, 'form-data': formData, undici };

/** curl -F, with files from stdin. */
async function curl({
	url,
	tool,
	fields = {},
	files = {},
	key = 'test-key',
}: Call): Promise<Answer> {
	const args = ['-sS', '-i', '-H', 'Expect:', ...(key === null ? [] : ['-H', `api-key: ${key}`])];
	for (const [name, value] of Object.entries(fields))
		args.push('--form-string', `${name}=${value}`);
	let input: Buffer | undefined;
	for (const [name, file] of Object.entries(files)) {
		const type = file.type ?? 'image/png';
		args.push('-F', `${name}=@-;filename=${file.name ?? 'photo.png'};type=${type}`);
		input = file.bytes;
	}
	if (Object.keys({ ...fields, ...files }).length === 0) args.push('-X', 'POST');
	const running = promisify(execFile)('curl', [...args, `${url}/api/${tool}`], {
		encoding: 'buffer',
		maxBuffer: 64 * 1024 * 1024,
	});
	running.child.stdin?.end(input);
	const { stdout } = await running;
	const split = stdout.indexOf('\r\n\r\n');
	const [first = '', ...lines] = stdout.subarray(0, split).toString('latin1').split('\r\n');
	const headers = Object.fromEntries(
		lines.map((line) => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
		}),
	);
	return answer(Number(first.split(' ')[1]), headers, stdout.subarray(split + 4));
}

/** The form-data package over node:http. */
async function formData({ url, tool, fields = {}, files = {}, key = 'test-key' }: Call) {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	for (const [name, file] of Object.entries(files)) {
		form.append(name, file.bytes, {
			filename: file.name ?? 'photo.png',
			contentType: file.type ?? 'image/png',
		});
	}
	const headers = { ...form.getHeaders(), ...(key === null ? {} : { 'api-key': key }) };
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		const outgoing = httpRequest(`${url}/api/${tool}`, { method: 'POST', headers, agent: false });
		outgoing.once('response', resolve).once('error', reject);
		form.pipe(outgoing);
	});
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(Buffer.from(chunk as Uint8Array));
	const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
	return answer(
		response.statusCode ?? 0,
		Object.fromEntries(flat) as Record<string, string>,
		Buffer.concat(chunks),
	);
}

/** undici's fetch and FormData, which are part of Node. */
async function undici({ url, tool, fields = {}, files = {}, key = 'test-key' }: Call) {
	const form = new UndiciForm();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	for (const [name, file] of Object.entries(files)) {
		const blob = new Blob([file.bytes], { type: file.type ?? 'image/png' });
		form.append(name, blob, file.name ?? 'photo.png');
	}
	return await send(`${url}/api/${tool}`, {
		method: 'POST',
		body: form,
		headers: key === null ? {} : { 'api-key': key },
	});
}

/** Fetches a whole response with undici. Rejects if the connection breaks. */
export async function send(url: string, init: Parameters<typeof fetch>[1] = {}): Promise<Answer> {
	const response = await fetch(url, { redirect: 'manual', ...init });
	const body = Buffer.from(await response.arrayBuffer());
	return answer(response.status, Object.fromEntries(response.headers), body);
}

/** Sends a call as JSON (specification 4, second encoding). */
export async function sendJson(url: string, tool: string, body: unknown): Promise<Answer> {
	return await send(`${url}/api/${tool}`, {
		method: 'POST',
		body: typeof body === 'string' ? body : JSON.stringify(body),
		headers: { 'content-type': 'application/json', 'api-key': 'test-key' },
	});
}

function answer(status: number, headers: Record<string, string>, body: Buffer): Answer {
	const json = () => JSON.parse(body.toString('utf8')) as Record<string, unknown>;
	const message = () => {
		const { err, status: statusMessage } = json();
		return [err, statusMessage].find((text) => typeof text === 'string') ?? '';
	};
	return { status, headers, body, json, message };
}

/** Downloads the generated file of a job result. */
export async function fileOf(result: Answer): Promise<Answer> {
	if (result.status !== 200) throw new Error(`${result.status}: ${result.body.toString()}`);
	return await send(String(result.json()['output_url']));
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
