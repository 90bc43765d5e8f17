import type { Tool } from './catalog';
import type { FaultName } from './faults/table';

/** How many calls may be made: `calls` at once, then one more every `seconds / calls`. */
export interface RateLimit {
	/** 1 or more. */
	calls: number;
	/** Above 0, up to 86400. */
	seconds: number;
	/** Whether a 429 has a Retry-After header; default true. */
	retryAfter?: boolean | undefined;
}

/** Options of a sandbox. Each has a default. */
export interface SandboxOptions {
	/** Address to listen on; default 127.0.0.1. Any other opens the sandbox to the network. */
	host?: string;
	/** 0 to 65535; default 0, which picks a free port. */
	port?: number;
	/** The valid API key, or several of the same account; default `test-key`. */
	apiKey?: string | readonly string[];
	/** Generations in the monthly allowance; default 1000. */
	allowance?: number;
	/** The prepaid wallet at the start, in US cents; default 1000. */
	walletCents?: number;
	/** A call beyond this limit gets 429; default none. */
	rateLimit?: RateLimit | undefined;
	/** Milliseconds between the charge and the response; default 0. */
	delayMs?: number;
	/** Return uploaded images unchanged, without decoding them; default false. */
	echoImages?: boolean;
	/** Host names to accept besides localhost, IP addresses and `host`; default none. */
	allowHosts?: readonly string[];
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
	/** From 1, in the order received. */
	number: number;
	/** ISO 8601, UTC. */
	at: string;
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
	/** Bytes of the body received so far. */
	bytesReceived: number;
	/** Status of the response; null until it starts, or if the connection was cut. */
	status: number | null;
	/** Whether the response is complete or the connection closed. */
	isOver: boolean;
	/** The fault that struck it. */
	fault?: FaultName;
	/** Why the sandbox refused it. */
	refusal?: string;
	/** What it was charged. */
	charge?: LedgerEntry;
}

/** An image that a call sent, on disk. */
export interface Upload {
	file: string;
	/** Its file name or address. */
	name: string;
}
