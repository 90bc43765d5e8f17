import { FaultQueue } from '../faults/queue';
import type { RateLimit } from '../types';
import { Account } from './account';
import type { Files } from './files';
import { RateLimiter } from './rateLimiter';
import { Requests } from './requests';

/** All options, with defaults applied. */
export interface Settings {
	host: string;
	port: number;
	apiKeys: readonly string[];
	allowance: number;
	walletCents: number;
	rateLimit: RateLimit | undefined;
	delayMs: number;
	echoImages: boolean;
	allowHosts: readonly string[];
	now: () => Date;
}

/** Everything that the routes of a sandbox share. */
export class Service {
	readonly account: Account;
	readonly limiter: RateLimiter;
	readonly requests: Requests;
	readonly faults = new FaultQueue();

	constructor(
		readonly settings: Settings,
		readonly files: Files,
	) {
		this.account = new Account(settings);
		this.limiter = new RateLimiter(settings.rateLimit, settings.now);
		this.requests = new Requests(settings.now);
	}

	/** Restores the initial state. */
	async reset(): Promise<void> {
		this.account.reset();
		this.limiter.reset();
		this.requests.reset();
		this.faults.disarm();
		await this.files.clear();
	}
}
