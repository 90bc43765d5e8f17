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
/** OpenSSL's reason, such as `wrong version number`, in its message. */
const TLS_REASON = /:SSL routines:[^:]*:([^:]+)/;

/** Converts what n8n's HTTP client throws, without the request's headers and the key. */
export function toConnectionFailure(
	error: unknown,
	{ hideKey }: Pick<Service, 'hideKey'>,
	{ isOver }: Pick<Deadline, 'isOver'> = { isOver: false },
): ConnectionFailure {
	const { code, message, wasNeverSent } = rootOf(error);
	const kind = wasNeverSent ? 'unreachable' : kindOf(code, message);
	if (isOver && kind === 'unreachable') return { kind, message: 'the connection timed out' };
	const [, reason = message] = TLS_REASON.exec(message) ?? [];
	const [firstLine = ''] = hideKey(reason).split('\n', 1);
	return { kind: isOver ? 'timeout' : kind, message: firstLine.slice(0, 300) };
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
	// `wasNeverSent`: the request definitely never left this machine.
	let found = { code: '', message: '', wasNeverSent: false };
	let current = error;
	for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
		const wrapped = current as Record<string, unknown>;
		const { code, httpCode, message, messages, cause, errors, request } = wrapped;
		const text: unknown = Array.isArray(messages) ? (messages[0] ?? message) : message;
		found = {
			code: [code, httpCode].find(isSystemCode) ?? found.code,
			message: typeof text === 'string' ? text : found.message,
			wasNeverSent: found.wasNeverSent || hasWrittenNothing(request),
		};
		current = Array.isArray(errors) ? errors[0] : cause;
	}
	return found;
}

/**
 * Whether everything that a request wrote is still buffered (Node 20.20, 24.21). Never true on n8n
 * 1.123.81, which drops the request from what it throws.
 */
function hasWrittenNothing(request: unknown): boolean {
	const { socket } = asRecord(request);
	const { bytesWritten, writableLength } = asRecord(socket);
	return typeof bytesWritten === 'number' && bytesWritten > 0 && bytesWritten === writableLength;
}

function isSystemCode(code: unknown): code is string {
	return typeof code === 'string' && /^[A-Z]/.test(code);
}
