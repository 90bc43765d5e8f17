import type { FaultRule } from './faults/rules';

/** The model ids of the three tools, the last path segment of a call (specification 1.5). */
export type Tool = 'text2img' | 'background-remover' | 'image-editor';

/** What a call costs by: the version, or the tool if it has no versions. */
export type PriceName = 'standard' | 'hd' | 'genius' | 'super_genius' | 'background-remover';

/** Wallet prices in US cents. */
export type Prices = Readonly<Record<PriceName, number>>;

/** How many calls a key may make: `calls` at once, then one more every `seconds / calls`. */
export interface RateLimit {
	/** 1 or more. */
	calls: number;
	/** Above 0, up to 86400. */
	seconds: number;
	/** Whether a 429 says in Retry-After how long to wait, default true. */
	retryAfter?: boolean;
}

/** How a sandbox is set up. Every option has a default. */
export interface SandboxOptions {
	/** Address to listen on, default 127.0.0.1. Anything else opens the sandbox to the network. */
	host?: string;
	/** 0 to 65535, default 0: any free port. */
	port?: number;
	/** The key that is let in, default `test-key`. */
	apiKey?: string;
	/** A known key without a subscription (specification 5.3), default `no-subscription`. */
	unsubscribedKey?: string;
	/** Generations in the monthly allowance, default 1000. */
	allowance?: number;
	/** Prepaid wallet in US cents, default 1000. */
	walletCents?: number;
	/** Wallet prices that differ from the defaults (5, 8, 12 and 25; background-remover 5). */
	prices?: Partial<Prices>;
	/** Calls per key, default: no limit. A call above it gets 429. */
	rateLimit?: RateLimit;
	/** Milliseconds between the charge and the answer of each generation, default 0. */
	delayMs?: number;
	/** Give every uploaded image back as it came, without decoding it; default false. */
	echoImages?: boolean;
	/** Largest image in bytes, uploaded or fetched; default 300 MiB. */
	maxImageBytes?: number;
	/** How many requests are kept in `requests` and on the page, the latest ones; default 20,000. */
	keepRequests?: number;
	/** Host names that calls may be addressed to, besides loopback names and `host`; default none. */
	allowHosts?: readonly string[];
	/** Believe X-Forwarded-Proto and X-Forwarded-Host (for `output_url`); default false. */
	trustProxy?: boolean;
	/** The clock that turns the month (UTC), dates the ledger and refills the rate limit. */
	now?: () => Date;
}

/** One charged generation (specification 8, rule 2). */
export interface LedgerEntry {
	jobId: string;
	tool: Tool;
	source: 'allowance' | 'wallet';
	/** US cents taken from the wallet; 0 when the allowance paid. */
	cents: number;
	/** Text fields as they were received. */
	fields: Record<string, string>;
	outputUrl: string;
	/** ISO 8601, UTC. */
	at: string;
	/** What the sandbox has to say about the picture, such as an instruction it did not understand. */
	note?: string;
}

export interface RecordedFile {
	field: string;
	fileName: string;
	mimeType: string;
	/** Grows while the file is received. */
	bytes: number;
	/** Hex; empty until the whole file is here. */
	sha256: string;
}

/** One request outside `/sandbox`, listed from the moment its head arrives. */
export interface RecordedRequest {
	method: string;
	/** With the query, as it was sent. */
	path: string;
	/** Names in lower case; repeated headers joined with a comma. */
	headers: Record<string, string>;
	/** Text fields; of a repeated field the last value; JSON values that are no strings as JSON. */
	fields: Record<string, string>;
	files: RecordedFile[];
	/** Every part or field name in the order received, files and repetitions included. */
	fieldOrder: string[];
	/** Set when the answer starts; null while it is pending and when the connection was cut. */
	status: number | null;
	/** Bytes of body received; grows while they arrive. */
	bytesReceived: number;
}

export interface Account {
	/** Generations in each month's allowance. */
	readonly allowance: number;
	/** Generations left in this month. */
	readonly allowanceLeft: number;
	/** US cents. */
	readonly walletCentsLeft: number;
	/** `2026-11`: the UTC month, or a later one after `nextMonth`. */
	readonly month: string;
	readonly prices: Prices;
	/** Adds US cents to the wallet. */
	topUp(cents: number): void;
	/** Leaves nothing, neither in the allowance nor in the wallet. */
	useUp(): void;
	/** Begins the next month, with a full allowance. */
	nextMonth(): void;
	/** Changes prices, in US cents. */
	setPrices(prices: Partial<Prices>): void;
}

/** A generated file. `bytes` reads it from disk anew each time. */
export interface Output {
	readonly bytes: Buffer;
	readonly mimeType: string;
}

/** A running sandbox. */
export interface Sandbox {
	/** `http://host:port`, without a slash at the end. */
	readonly url: string;
	readonly ledger: readonly LedgerEntry[];
	/** The latest `keepRequests` requests, oldest first. */
	readonly requests: readonly RecordedRequest[];
	readonly account: Account;
	/** Outputs by job id, gone after `close`. */
	readonly outputs: ReadonlyMap<string, Output>;
	/** The file of a job. @throws Error when no job has this id. */
	output(jobId: string): Promise<Buffer>;
	/** Adds a fault; faults are used up in the order armed. @throws Error when the rule makes no sense. */
	arm(rule: FaultRule): void;
	/** Forgets every armed fault. */
	disarm(): void;
	/** Sets or, with undefined, lifts the rate limit. @throws Error when the limit makes no sense. */
	limitRate(limit: RateLimit | undefined): void;
	/** Starts over: account, ledger, files, requests, faults and rate limit as at the start. */
	reset(): Promise<void>;
	/** Cuts every connection, stops listening and removes the files. May be called again. */
	close(): Promise<void>;
}
