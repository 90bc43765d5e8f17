import { ConnectionFailure } from '../failures/failures';

// A request that ended so never got to the service, unless its connection already stood: a route that
// is lost later gives the same codes. Certificates are refused before it is sent.
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
// n8n's guard against calls into networks of its own says so without a code (2.40.3).
const BLOCKED = 'BLOCKED';
const UNDER_WAY = /^(read|write) /;
// A handshake ends with EPROTO. ERR_SSL_… comes when an encrypted connection breaks later, and the
// request may be out by then (seen on Node 20.20 and 24.21); only one about a certificate is none.
const NO_SECURE_CONNECTION = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/;

/** What n8n's HTTP client threw, as a failure of our own without the request's headers in it. */
export function toConnectionFailure(error: unknown): ConnectionFailure {
	const { code: found, message } = rootOf(error);
	const code = /^The request was blocked /.test(message) ? BLOCKED : found;
	const reached = !(
		isBlocked(code) ||
		(NOT_REACHED.includes(code) && !UNDER_WAY.test(message)) ||
		NO_SECURE_CONNECTION.test(code) ||
		/^(connect|getaddrinfo) /.test(message)
	);
	return new ConnectionFailure(code, reached, message);
}

/** Whether a code means that no secure connection came about, so that nothing was sent. */
export function isInsecure(code: string): boolean {
	return NO_SECURE_CONNECTION.test(code);
}

/** Whether a code means that n8n itself kept the request back, so that nothing was sent. */
export function isBlocked(code: string): boolean {
	return code === BLOCKED;
}

/** A system's failure, wrapped by the client's and by n8n's. */
interface Wrapped {
	code?: unknown;
	httpCode?: unknown;
	message?: unknown;
	messages?: unknown;
	cause?: unknown;
	errors?: unknown;
}

/**
 * n8n 2.40.3 keeps what it wraps as the cause; 1.123.81 keeps its code as httpCode and its words
 * as the first of messages. Where a host has several addresses, Node says what each came to, and
 * nothing of its own (seen on 20.20). No class is asked for: under jest they come from another realm.
 */
function rootOf(error: unknown): { code: string; message: string } {
	let found = { code: '', message: '' };
	let current = error;
	for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
		const { code, httpCode, message, messages, cause, errors } = current as Wrapped;
		const words: unknown = Array.isArray(messages) ? (messages[0] ?? message) : message;
		found = {
			code: [code, httpCode].find(isSystemCode) ?? found.code,
			message: typeof words === 'string' ? (words.split('\n')[0] ?? '') : found.message,
		};
		current = Array.isArray(errors) ? errors[0] : cause;
	}
	return found;
}

function isSystemCode(code: unknown): code is string {
	return typeof code === 'string' && /^[A-Z]/.test(code);
}
