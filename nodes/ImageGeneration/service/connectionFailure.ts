import { asRecord } from '../failures/asRecord';
import type { ConnectionFailure } from '../failures/failures';
import type { Deadline } from '../wait';
import type { Service } from './service';

// With these codes a request never reached the service, unless the route was lost on an established
// connection. Certificates are rejected before the request is sent.
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
const TIMEOUT_CODES = ['ECONNABORTED', 'ETIMEDOUT'];
const ON_OPEN_CONNECTION = /^(read|write) /;
// EPROTO means that the handshake did not succeed. ERR_SSL_… also occurs on an open connection, when
// the request may have been sent, except for codes about certificates (Node 20.20, 24.21).
const NO_SECURE_CONNECTION = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/;
/** OpenSSL's reason, such as `certificate required`, in its message. */
const TLS_REASON = /:SSL routines:[^:]*:([^:]+)/;
/** What OpenSSL makes of a server that answers without encryption (Node 20.20, 24.21). */
const UNENCRYPTED = ['wrong version number', 'packet length too long', 'http request'];
/** In the messages about a proxy that does not answer when it is asked for a connection (n8n 2.41.1). */
const NO_TUNNEL = ' CONNECT response';

/** Converts what n8n's HTTP client throws, without the request's headers and the key. */
export function toConnectionFailure(
	error: unknown,
	{ hideKey }: Pick<Service, 'hideKey'>,
	{ isOver }: Pick<Deadline, 'isOver'> = { isOver: false },
): ConnectionFailure {
	const { code, message, wasNeverSent } = rootOf(error);
	if (message.includes(NO_TUNNEL)) return refusedByProxy('the proxy closed the connection');
	const kind = wasNeverSent ? 'unreachable' : kindOf(code, message);
	if (isOver && kind === 'unreachable') return { kind, message: 'the connection timed out' };
	const [firstLine = ''] = hideKey(reasonIn(message)).split('\n', 1);
	return { kind: isOver ? 'timeout' : kind, message: firstLine.slice(0, 300) };
}

/** The proxy that n8n uses did not pass a request on. @param why In words. */
export function refusedByProxy(why: string): ConnectionFailure {
	return {
		kind: 'unreachable',
		message: why,
		isProxy: true,
	};
}

/** OpenSSL's reason in words, or the whole message. */
function reasonIn(message: string): string {
	const [, reason = message] = TLS_REASON.exec(message) ?? [];
	return UNENCRYPTED.includes(reason) ? 'the server answers without encryption' : reason;
}

function kindOf(code: string, message: string): ConnectionFailure['kind'] {
	// n8n's protection against requests to internal networks sets no code (2.41.1).
	if (message.startsWith('The request was blocked ')) return 'blocked';
	if (NO_SECURE_CONNECTION.test(code)) return 'insecure';
	if (/^(connect|getaddrinfo) /.test(message)) return 'unreachable';
	if (NOT_REACHED.includes(code) && !ON_OPEN_CONNECTION.test(message)) return 'unreachable';
	return TIMEOUT_CODES.includes(code) ? 'timeout' : 'interrupted';
}

/**
 * Unwraps a system error, which the HTTP client and n8n have wrapped. n8n 2.41.1 keeps the original as
 * `cause`; 1.123.81 keeps its code in `httpCode` and its message first in `messages`. If a host has
 * several addresses, Node reports an error for each and no message of its own (20.20). No `instanceof`:
 * under jest the classes come from another realm.
 */
function rootOf(error: unknown) {
	// `wasNeverSent`: the request definitely never reached the service.
	let found = { code: '', message: '', wasNeverSent: false };
	for (const { code, httpCode, message, messages, request } of causesOf(error)) {
		const text: unknown = Array.isArray(messages) ? (messages[0] ?? message) : message;
		found = {
			code: [code, httpCode].find(isSystemCode) ?? found.code,
			message: typeof text === 'string' ? text : found.message,
			wasNeverSent: found.wasNeverSent || isUnsent(request) || isBuffered(request),
		};
	}
	return found;
}

/** What was thrown, what caused it, and so on. */
export function* causesOf(error: unknown): Generator<Record<string, unknown>> {
	let current = error;
	for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
		const thrown = current as Record<string, unknown>;
		yield thrown;
		current = Array.isArray(thrown.errors) ? thrown.errors[0] : thrown.cause;
	}
}

/**
 * Whether nothing was written to a connection: there is none, or a proxy refused to open one and
 * n8n's client made one up to read its answer (2.41.1, 1.123.81).
 * @param request Node's, as far as n8n's client hands it out.
 */
export function isUnsent(request: unknown): boolean {
	const { socket } = asRecord(request);
	return socket === null || asRecord(socket).bytesWritten === 0;
}

/**
 * Whether everything that a request wrote is still buffered (Node 20.20, 24.21). Never true on n8n
 * 1.123.81, which drops the request from what it throws.
 */
function isBuffered(request: unknown): boolean {
	const { socket } = asRecord(request);
	const { bytesWritten, writableLength } = asRecord(socket);
	return typeof bytesWritten === 'number' && bytesWritten === writableLength;
}

function isSystemCode(code: unknown): code is string {
	return typeof code === 'string' && /^[A-Z]/.test(code);
}
