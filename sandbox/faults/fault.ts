import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a rule says about a fault's response; rules.ts explains each. */
export interface FaultDetails {
	status?: number | undefined;
	body?: unknown;
	headers?: Record<string, string> | undefined;
	delayMs?: number | undefined;
	retryAfter?: string | undefined;
	location?: string | undefined;
	bytes?: number | undefined;
	contentType?: string | undefined;
}

/** A job result (specification 2.1). */
export interface JobResult {
	id: string;
	output_url: string;
}

/** What a fault needs to act on a request. */
export interface Strike {
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
	/** `http://host` as the client reached it. */
	readonly base: string;
	/** Aborts when the client disconnects or the sandbox closes. */
	readonly signal: AbortSignal;
	readonly rule: FaultDetails;
	/** The charged job, if the fault strikes after the charge. */
	readonly job: JobResult;
	/** The requested file, if the fault strikes a download. */
	readonly output: { readonly bytes: Buffer; readonly mimeType: string } | undefined;
	/** Records the status of a response that starts past Fastify. */
	answered(status: number): void;
}

/** One named fault. */
export interface Fault {
	target: 'tool' | 'download' | 'any';
	/** `arrival` is before the body is read; `before` and `after` refer to the charge. */
	moment: 'arrival' | 'before' | 'after';
	/** What the fault does, with the details that a rule can set and their defaults in brackets. */
	description: string;
	/** Default of the rule's `times`; 1 if not set. */
	times?: number;
	/** Responds or cuts the connection. If it does neither, the request continues. */
	strike(strike: Strike): void | Promise<void>;
}

/** A fault of calls and downloads that strikes before anything is charged. */
export function beforeCharge(description: string, strike: Fault['strike']): Fault {
	return {
		target: 'any',
		moment: 'before',
		description,
		strike,
	};
}

/** A fault of calls that strikes after the charge. */
export function afterCharge(description: string, strike: Fault['strike']): Fault {
	return {
		target: 'tool',
		moment: 'after',
		description,
		strike,
	};
}

/** Sends a response past Fastify, which would add to it or correct it. */
export function answer(
	strike: Strike,
	status: number,
	body: string | Buffer,
	headers: Record<string, string> = {},
): void {
	const { raw } = head(strike, status, {
		'content-length': `${Buffer.byteLength(body)}`,
		...headers,
	});
	raw.end(body);
}

/** Sends the status line and headers. The fault may write a body. */
export function head(
	strike: Strike,
	status: number,
	headers: Record<string, string>,
): FastifyReply {
	const { reply, rule } = strike;
	const { retryAfter = '' } = rule;
	const asked = retryAfter === '' ? {} : { 'retry-after': retryAfter };
	reply.hijack();
	reply.raw.writeHead(status, { ...headers, ...asked, ...lowerCased(rule.headers ?? {}) });
	strike.answered(status);
	reply.raw.flushHeaders();
	return reply;
}

export function json(strike: Strike, status: number, body: unknown): void {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const type = strike.rule.contentType ?? 'application/json; charset=utf-8';
	answer(strike, status, text, { 'content-type': type });
}

/** Cuts the connection so that the client sees a reset. */
export function reset(strike: Strike): void {
	strike.reply.hijack();
	strike.request.raw.socket.resetAndDestroy();
}

/** Closes the connection cleanly, without a response. */
export function close(strike: Strike): void {
	strike.reply.hijack();
	strike.request.raw.socket.end();
}

/** Redirects to the rule's `location`, or to the same path with `?redirected=1`. */
export function redirect(strike: Strike): void {
	const { rule, base, request } = strike;
	const location = rule.location ?? `${base}${request.url.split('?')[0] ?? ''}?redirected=1`;
	answer(strike, rule.status ?? 302, '', { location });
}

/** Sends some bytes, then cuts the connection. */
export function cutAfter(strike: Strike, bytes: Buffer): void {
	strike.reply.raw.write(bytes, () => {
		strike.request.raw.socket.destroySoon();
	});
}

/** Keeps the connection open and sends nothing more until the client disconnects. */
export async function hang(strike: Strike): Promise<void> {
	strike.reply.hijack();
	await pause(strike, 2 ** 31 - 1);
}

/** Waits for a second, unless the rule has a `delayMs`: `Exchange.strike` has waited then. */
export async function delay(strike: Strike): Promise<void> {
	if (strike.rule.delayMs === undefined) await pause(strike, 1000);
}

/** Waits until the time is over, the client disconnects or the sandbox closes. */
export async function pause({ signal }: Pick<Strike, 'signal'>, ms: number): Promise<void> {
	try {
		await sleep(ms, undefined, { signal });
	} catch {
		// Aborted: nobody waits for the response any more.
	}
}

export const html =
	'<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>';

function lowerCased(headers: Record<string, string>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}
