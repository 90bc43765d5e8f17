import { ConnectionFailure, type ConnectionFailureKind } from '../failures/failures';

// A request that ended so never got to the service, unless its connection already stood: a route that
// is lost later gives the same codes. Certificates are refused before it is sent.
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
const LATE = ['ECONNABORTED', 'ETIMEDOUT'];
const UNDER_WAY = /^(read|write) /;
// A handshake ends with EPROTO. ERR_SSL_… comes when an encrypted connection breaks later, and the
// request may be out by then (seen on Node 20.20 and 24.21); only one about a certificate is none.
const NO_SECURE_CONNECTION = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/;
const MAX_MESSAGE = 300;

/** What n8n's HTTP client threw, as a failure of our own without the request's headers in it. */
export function toConnectionFailure(error: unknown): ConnectionFailure {
	const { code, message, isUnsent } = rootOf(error);
	const kind = isUnsent ? 'unreachable' : kindOf(code, message);
	return new ConnectionFailure(kind, kind === 'insecure' ? tlsReason(message) : message);
}

function kindOf(code: string, message: string): ConnectionFailureKind {
	// n8n's guard against calls into networks of its own says so without a code (2.40.3).
	if (message.startsWith('The request was blocked ')) return 'blocked';
	if (NO_SECURE_CONNECTION.test(code)) return 'insecure';
	if (/^(connect|getaddrinfo) /.test(message)) return 'unreachable';
	if (NOT_REACHED.includes(code) && !UNDER_WAY.test(message)) return 'unreachable';
	return LATE.includes(code) ? 'timeout' : 'interrupted';
}

/** OpenSSL's reason alone, such as `wrong version number`, out of a line full of its file names. */
function tlsReason(message: string): string {
	const [, , , , , reason] = message.includes(':SSL routines:') ? message.split(':') : [];
	return reason?.trim() || message;
}

/** A system's failure, wrapped by the client's and by n8n's. */
interface Wrapped {
	code?: unknown;
	httpCode?: unknown;
	message?: unknown;
	messages?: unknown;
	cause?: unknown;
	errors?: unknown;
	request?: unknown;
}

interface Root {
	code: string;
	message: string;
	/** Whether the request surely never left this machine. */
	isUnsent: boolean;
}

/**
 * n8n 2.40.3 keeps what it wraps as the cause; 1.123.81 keeps its code as httpCode and its words
 * as the first of messages. Where a host has several addresses, Node says what each came to, and
 * nothing of its own (seen on 20.20). No class is asked for: under jest they come from another realm.
 */
function rootOf(error: unknown): Root {
	let found: Root = { code: '', message: '', isUnsent: false };
	let current = error;
	for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
		const { code, httpCode, message, messages, cause, errors, request } = current as Wrapped;
		const words: unknown = Array.isArray(messages) ? (messages[0] ?? message) : message;
		found = {
			code: [code, httpCode].find(isSystemCode) ?? found.code,
			message: typeof words === 'string' ? firstLine(words) : found.message,
			isUnsent: found.isUnsent || isStillHere(request),
		};
		current = Array.isArray(errors) ? errors[0] : cause;
	}
	return found;
}

/**
 * Whether all that a client's request wrote still waits for its connection (Node 20.20, 24.21).
 * n8n 1.123.81 drops the request from what it throws, so there it is never known.
 */
function isStillHere(request: unknown): boolean {
	const { socket } = Object(request) as { socket?: unknown };
	const { bytesWritten, writableLength } = Object(socket) as Record<string, unknown>;
	return typeof bytesWritten === 'number' && bytesWritten > 0 && bytesWritten === writableLength;
}

function firstLine(text: string): string {
	return text.slice(0, MAX_MESSAGE).split('\n', 1)[0] ?? '';
}

function isSystemCode(code: unknown): code is string {
	return typeof code === 'string' && /^[A-Z]/.test(code);
}
