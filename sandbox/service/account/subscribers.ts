import { FaultQueue } from '../../faults/queue';
import type { FaultRule } from '../../faults/rules';
import type { LedgerEntry, RateLimit } from '../../types';
import type { Settings } from '../settings';
import { Account } from './account';
import { checkRateLimit } from './checks';
import { RateLimiter } from './rateLimiter';

/** What belongs to one API key: its account, rate limit and faults. */
export class Subscriber {
	readonly account: Account;
	readonly limiter: RateLimiter;
	readonly faults = new FaultQueue();

	constructor(
		readonly key: string,
		settings: Settings,
	) {
		this.account = new Account(settings);
		this.limiter = new RateLimiter(settings.rateLimit, settings.now);
	}

	get ledger(): readonly LedgerEntry[] {
		return this.account.ledger;
	}

	/** Arms a fault. Rules are used up in the order armed. @throws Error if the rule is invalid */
	arm(rule: FaultRule): void {
		this.faults.arm(rule);
	}

	/** Disarms every fault. */
	disarm(): void {
		this.faults.disarm();
	}

	/** Sets the rate limit; undefined removes it. @throws Error if the limit is invalid */
	limitRate(limit: RateLimit | undefined): void {
		this.limiter.set(limit && checkRateLimit(limit));
	}

	/** Restores the initial state. */
	reset(): void {
		this.account.reset();
		this.limiter.reset();
		this.disarm();
	}
}

/** The holders of all valid keys. */
export class Subscribers {
	readonly first: Subscriber;
	private readonly byKey: Map<string, Subscriber>;

	constructor(settings: Settings) {
		const [first = '', ...others] = settings.apiKeys;
		this.first = new Subscriber(first, settings);
		this.byKey = new Map([[first, this.first]]);
		for (const key of others) this.byKey.set(key, new Subscriber(key, settings));
	}

	get all(): Subscriber[] {
		return [...this.byKey.values()];
	}

	find(key: string | undefined): Subscriber | undefined {
		return key === undefined ? undefined : this.byKey.get(key);
	}
}
