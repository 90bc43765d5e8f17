import type { ConnectionFailure } from '../failures/failures';
import { asRecord } from '../values/asRecord';
import type { Deadline } from '../wait';
import type { Service } from './service';

/** Codes that no open connection has. A lost route, such as EHOSTUNREACH, also occurs on one. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
/** How messages begin that name the system call: that of a connection, or of the look-up before it. */
const CONNECTING = /^(connect|getaddrinfo) /;
const TIMEOUT_CODES = ['ECONNABORTED', 'ETIMEDOUT'];
// EPROTO means that the handshake did not succeed. ERR_SSL_… also occurs on an open connection, when
// the request may have been sent, except for codes about certificates (Node 20.20, 24.21). A certificate is
// rejected before the request is sent.
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
	const root = rootOf(error);
	const { message } = root;
	if (message.includes(NO_TUNNEL)) return refusedByProxy('the proxy closed the connection');
	const kind = kindOf(root);
	if (isOver && kind === 'unreachable') return { kind, message: 'the connection timed out' };
	const [firstLine = ''] = hideKey(reasonIn(message)).split('\n', 1);
	return { kind: isOver ? 'timeout' : kind, message: firstLine.slice(0, 300) };
}

/** The proxy that n8n uses did not pass a request on. @param why In words. */
export function refusedByProxy(why: string): ConnectionFailure {
	return { kind: 'unreachable', message: why };
}

/** OpenSSL's reason in words, or the whole message. */
function reasonIn(message: string): string {
	const [, reason = message] = TLS_REASON.exec(message) ?? [];
	return UNENCRYPTED.includes(reason) ? 'the server answers without encryption' : reason;
}

/** Whatever does not prove that nothing was sent may have been charged. */
function kindOf({ code, message, isUnsent }: SystemError): ConnectionFailure['kind'] {
	// n8n's protection against requests to internal networks sets no code (2.41.1).
	if (message.startsWith('The request was blocked ')) return 'blocked';
	if (NO_SECURE_CONNECTION.test(code)) return 'insecure';
	if (isUnsent || CONNECTING.test(message) || NOT_CONNECTED.includes(code)) return 'unreachable';
	return TIMEOUT_CODES.includes(code) ? 'timeout' : 'interrupted';
}

/** What the platform says of a request that got no response. */
interface SystemError {
	code: string;
	message: string;
	isUnsent: boolean;
}

/**
 * Unwraps a system error, which the HTTP client and n8n have wrapped. n8n 2.41.1 keeps the original as
 * `cause`; 1.123.81 keeps its code in `httpCode` and its message first in `messages`. If a host has
 * several addresses, Node reports an error for each and no message of its own (20.20). No `instanceof`:
 * under jest the classes come from another realm.
 */
function rootOf(error: unknown): SystemError {
	let found = { code: '', message: '', isUnsent: false };
	for (const { code, httpCode, message, messages, request } of causesOf(error)) {
		const text: unknown = Array.isArray(messages) ? (messages[0] ?? message) : message;
		found = {
			code: [code, httpCode].find(isSystemCode) ?? found.code,
			message: typeof text === 'string' ? text : found.message,
			isUnsent: found.isUnsent || isUnsent(request),
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
 * Whether not one byte of a request was sent: there was no connection, or none that was secure yet. Each of
 * them tells by itself, also after it was closed (Node 20.20, 24.21). What a connection has taken is sent as
 * far as anybody knows, even if it is still buffered.
 * @param request Node's, as far as n8n's client hands it out: 1.123.81 drops it from what it throws.
 */
export function isUnsent(request: unknown): boolean {
	const { socket } = asRecord(request);
	if (socket === null) return true;
	const { _bytesDispatched: taken, secureConnecting } = asRecord(socket);
	return taken === 0 || secureConnecting === true;
}

function isSystemCode(code: unknown): code is string {
	return typeof code === 'string' && /^[A-Z]/.test(code);
}
