import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredOutput } from '../service/files';
import type { FaultRule } from './rules';

/** A job result (specification 2.1). */
export interface JobResult {
	id: string;
	output_url: string;
}

/** A fault at the moment it strikes. */
export interface Strike {
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
	readonly rule: FaultRule;
	/** `http://host` as the client reached it. */
	readonly base: string;
	/** Aborts when the client leaves or the sandbox closes. */
	readonly left: AbortSignal;
	/** The charged job, for a fault that strikes after the charge. */
	readonly job: JobResult;
	/** The file asked for, for a fault that strikes a download. */
	readonly output: StoredOutput | undefined;
	/** Notes in the record that an answer has started. */
	answered(): void;
}

/** One named fault. */
export interface Fault {
	target: 'tool' | 'download' | 'any';
	/** `arrival`: before the body is read; `before` and `after`: the charge. Downloads cost nothing. */
	moment: 'arrival' | 'before' | 'after';
	words: string;
	/** Default of `times`, where it is not 1. */
	times?: number;
	/** Answers, cuts the connection, or returns to let the request go on. */
	strike(strike: Strike): void | Promise<void>;
}

/** An answer written past Fastify, so that nothing adds to or mends it. */
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

/** Starts an answer that the fault goes on to write, or not. */
export function head(
	strike: Strike,
	status: number,
	headers: Record<string, string>,
): FastifyReply {
	const { reply, rule } = strike;
	reply.hijack();
	reply.raw.writeHead(status, { ...headers, ...lowerCased(rule.headers ?? {}) });
	strike.answered();
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

/** Closes the connection politely, without an answer. */
export function close(strike: Strike): void {
	strike.reply.hijack();
	strike.request.raw.socket.end();
}

/** Sends on to the rule's `location`, or to the same path with `?redirected=1`. */
export function redirect(strike: Strike): void {
	const { rule, base, request } = strike;
	const location = rule.location ?? `${base}${request.url.split('?')[0] ?? ''}?redirected=1`;
	answer(strike, rule.status ?? 302, '', { location });
}

/** Cuts the connection once what was written has left. */
export function cutAfter(strike: Strike, written: Buffer): void {
	strike.reply.raw.write(written, () => {
		strike.request.raw.socket.destroySoon();
	});
}

/** Keeps the connection open and says nothing (more) until the client leaves. */
export async function hang(strike: Strike): Promise<void> {
	strike.reply.hijack();
	await pause(strike, 2 ** 31 - 1);
}

/** Waits for a second; a `delayMs` of the rule has gone by before the fault strikes. */
export async function delay(strike: Strike): Promise<void> {
	if (strike.rule.delayMs === undefined) await pause(strike, 1000);
}

/** Waits, at most until the client leaves or the sandbox closes. */
export async function pause(strike: Pick<Strike, 'left'>, ms: number): Promise<void> {
	try {
		await sleep(ms, undefined, { signal: strike.left });
	} catch {
		// Aborted: whoever waited has left.
	}
}

export const html =
	'<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>';

function lowerCased(headers: Record<string, string>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}
