import type { Prices, Tool } from './catalog';
import type { FaultName } from './faults/table';

/** How many calls each key may make: `calls` at once, then one more every `seconds / calls`. */
export interface RateLimit {
	/** 1 or more. */
	calls: number;
	/** Above 0, up to 86400. */
	seconds: number;
	/** Whether a 429 has a Retry-After header; default true. */
	retryAfter?: boolean;
}

/** Options of a sandbox. Each has a default. */
export interface SandboxOptions {
	/** Address to listen on; default 127.0.0.1. Any other opens the sandbox to the network. */
	host?: string;
	/** 0 to 65535; default 0, which picks a free port. */
	port?: number;
	/** The valid API key, or several, each with its own account; default `test-key`. */
	apiKey?: string | readonly string[];
	/** A key whose account has no subscription (specification 5.3); default `no-subscription`. */
	unsubscribedKey?: string;
	/** Generations in the monthly allowance; default 1000. */
	allowance?: number;
	/** Prepaid wallet in US cents; default 1000. */
	walletCents?: number;
	/** Wallet prices that differ from the defaults in `catalog.ts`. */
	prices?: Partial<Prices>;
	/** Calls allowed per key; default unlimited. A call above the limit gets 429. */
	rateLimit?: RateLimit;
	/** Milliseconds between the charge and the response; default 0. */
	delayMs?: number;
	/** Return uploaded images unchanged, without decoding them; default false. */
	echoImages?: boolean;
	/** Largest image in bytes, uploaded or fetched; default 300 MiB. */
	maxImageBytes?: number;
	/** How many recent requests to keep in `requests` and on the page; default 20,000. */
	keepRequests?: number;
	/** Host names to accept besides loopback names and `host`; default none. */
	allowHosts?: readonly string[];
	/** Trust X-Forwarded-Proto and X-Forwarded-Host (for `output_url`); default false. */
	trustProxy?: boolean;
	/** Receives a line about each call once it is over; default none. */
	log?: (line: string) => void;
	/** The clock that starts each month (UTC), dates the ledger and refills the rate limit. */
	now?: () => Date;
}

/** One charged generation (specification 8, rule 2). */
export interface LedgerEntry {
	jobId: string;
	tool: Tool;
	source: 'allowance' | 'wallet';
	/** US cents taken from the wallet; 0 if the allowance paid. */
	cents: number;
	/** Text fields as received. */
	fields: Record<string, string>;
	outputUrl: string;
	/** ISO 8601, UTC. */
	at: string;
	/** A remark about the picture, for example that its instruction was not understood. */
	note?: string;
}

export interface RecordedFile {
	field: string;
	fileName: string;
	mimeType: string;
	/** Grows while the file is received. */
	bytes: number;
	/** Hex; empty until the whole file has arrived. */
	sha256: string;
}

/** A request outside `/sandbox`, recorded as soon as its headers arrive. */
export interface RecordedRequest {
	method: string;
	/** As sent, with the query. */
	path: string;
	/** Names in lower case; repeated headers joined with a comma. */
	headers: Record<string, string>;
	/** Text fields. A repeated field has its last value; JSON values other than strings are JSON. */
	fields: Record<string, string>;
	files: RecordedFile[];
	/** Names of all parts or fields in the order received, including files and repetitions. */
	fieldOrder: string[];
	/** Status of the response; null until it starts, or if the connection was cut. */
	status: number | null;
	/** Bytes of the body received so far. */
	bytesReceived: number;
	/** The fault that strikes it, if it is a call and one does. */
	fault?: FaultName;
}

/** A generated file. Each access to `bytes` reads it from disk. */
export interface Output {
	readonly bytes: Buffer;
	readonly mimeType: string;
}
