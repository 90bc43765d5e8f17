import type { Server } from 'node:net';
import type { FaultRule } from '../faults/rules';
import type { LedgerEntry, RateLimit, RecordedRequest, SandboxOptions } from '../types';
import type { Account } from './account';
import { Files } from './files';
import { createServer } from './server';
import { Service, type Settings } from './service';

/** A running sandbox. */
export interface Sandbox {
	/** `http://host:port`, without a trailing slash. */
	readonly url: string;
	readonly ledger: readonly LedgerEntry[];
	/** The latest requests, oldest first. */
	readonly requests: readonly RecordedRequest[];
	readonly account: Readonly<Omit<Account, 'charge' | 'checkFunds' | 'ledger' | 'reset'>>;
	/** Arms a fault. Rules are used up in the order armed. @throws Error if the rule is invalid */
	arm(rule: FaultRule): void;
	/** Disarms every fault. */
	disarm(): void;
	/** Sets the rate limit; undefined removes it. */
	limitRate(limit: RateLimit | undefined): void;
	/** Reads a job's file. @throws Error if no job has this id */
	output(jobId: string): Promise<Buffer>;
	/** Resets the account, ledger, files, requests, faults and rate limit. */
	reset(): Promise<void>;
	/** Cuts every connection, stops listening and removes the files. Can be called again. */
	close(): Promise<void>;
}

/**
 * Starts a sandbox. Several can run in one process, each on its own port.
 *
 * @throws Error with a `code` such as EADDRINUSE if it cannot listen
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const settings = withDefaults(options);
	const { host, port } = settings;
	const files = await Files.open();
	const service = new Service(settings, files);
	const app = await createServer(service);
	let closing: Promise<void> | undefined;
	const end = async () => {
		app.server.closeAllConnections();
		await app.close();
		await files.close();
	};
	const close = async () => {
		closing ??= end();
		await closing;
	};
	try {
		await app.listen({ host, port });
	} catch (error) {
		await close();
		throw error;
	}
	const { account, faults, limiter, requests } = service;
	return {
		url: urlOf(host, app.server.address()),
		ledger: account.ledger,
		requests: requests.latest,
		account,
		arm: (rule) => faults.arm(rule),
		disarm: () => faults.disarm(),
		limitRate: (limit) => limiter.set(limit),
		output: async (jobId) => await files.read(jobId),
		reset: async () => await service.reset(),
		close,
	};
}

function withDefaults({ apiKey = 'test-key', ...options }: SandboxOptions): Settings {
	return {
		host: '127.0.0.1',
		port: 0,
		allowance: 1000,
		walletCents: 1000,
		rateLimit: undefined,
		delayMs: 0,
		echoImages: false,
		allowHosts: [],
		now: () => new Date(),
		...options,
		apiKeys: [apiKey].flat(),
	};
}

function urlOf(host: string, address: ReturnType<Server['address']>): string {
	const port = typeof address === 'object' && address ? address.port : 0;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
