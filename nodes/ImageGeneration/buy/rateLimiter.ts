import { Failed, notStarted, settle, type Failure } from '../failures/failures';
import { wait } from '../wait';
import { RequestRate } from './requestRate';

/** Longest wait before a request looks again, in milliseconds: those ahead may have given up. */
const LONGEST_NAP = 1000;

/** Lets the requests of a run through when the service is likely to accept them. */
export class RateLimiter {
	private readonly startedAt = performance.now();

	/**
	 * @param rate Shared with the other runs that use the same service.
	 * @param onHold Called once each time all requests have to wait, in milliseconds.
	 */
	constructor(
		readonly rate: RequestRate,
		private readonly onHold: (ms: number, failure: Failure) => void,
	) {}

	/**
	 * Waits for the request's turn.
	 * @param patience Longest wait the service may ask for, or time it may refuse all requests; in
	 *   milliseconds.
	 * @returns the time at which it has to be sent: now.
	 * @throws Failed if the wait would be too long, or if the signal is aborted.
	 */
	async acquire(patience: number, signal: AbortSignal): Promise<number> {
		const { rate } = this;
		const { queue } = rate;
		const place = {};
		queue.push(place);
		try {
			while (!signal.aborted) {
				const now = performance.now();
				const ms = this.delay(now, patience);
				if (ms <= 0) {
					rate.requestSent(now);
					return now;
				}
				const ahead = queue.indexOf(place);
				// Half of the time that those ahead need, because they may need less.
				const nap = ms + ahead * Math.max(1, rate.interval / 2);
				await settle(wait(Math.min(Math.ceil(nap), LONGEST_NAP), signal));
			}
			throw new Failed(notStarted.failure);
		} finally {
			queue.splice(queue.indexOf(place), 1);
		}
	}

	/** Slows all requests down, because the service refused the one sent then: there are too many. */
	refused(sentAt: number, refusal: Failure): void {
		const { rate } = this;
		rate.lastRefusal = refusal;
		const now = performance.now();
		if (rate.requestRefused(sentAt, now, refusal.retryAfter)) this.onHold(rate.delay(now), refusal);
	}

	/**
	 * Milliseconds until the service is likely to accept the request.
	 * @throws Failed if the service asks for too long a wait, or refused a request when patience was over.
	 */
	private delay(now: number, patience: number): number {
		const { rate } = this;
		const { hold, lastRefusal: refusal, closedSince = now } = rate;
		if (hold === undefined || refusal === undefined) return rate.delay(now);
		const givenUp = { ...refusal, kind: 'rate limited', refusal, patience } as const;
		const askedUntil = hold.since + hold.asked;
		if (askedUntil - now > patience) {
			// A run that starts during a long hold may send one request: the account may have changed.
			if (hold.since < this.startedAt) return 0;
			throw new Failed({ ...givenUp, asked: hold.asked });
		}
		const patientUntil = Math.max(closedSince, this.startedAt) + patience;
		if (hold.since >= patientUntil) throw new Failed({ ...givenUp, asked: undefined });
		// Whatever the jitter is, a last request goes out when the wait and patience are over.
		return Math.min(rate.delay(now), Math.max(askedUntil, patientUntil) - now);
	}
}

/** What the runs that use an account have learned about its limits. */
export class AccountRates {
	readonly paid = new RequestRate();

	readonly downloads = new RequestRate();

	/** Its runs that go on. */
	runs = 0;

	/** @param account Identifies the service and the key. */
	constructor(readonly account: string) {}
}

/** The rates of the accounts that runs of this n8n process use now. */
export class ActiveRates {
	readonly #byAccount = new Map<string, AccountRates>();

	/**
	 * Joins the runs of an account. After the last one has left, only their executions know the rates.
	 * @param learned What an earlier run of the execution learned, of any account.
	 */
	join(account: string, learned: AccountRates | undefined): AccountRates {
		const known = this.#byAccount.get(account) ?? learned;
		const rates = known?.account === account ? known : new AccountRates(account);
		this.#byAccount.set(account, rates);
		rates.runs++;
		return rates;
	}

	leave(rates: AccountRates): void {
		rates.runs--;
		if (rates.runs === 0) this.#byAccount.delete(rates.account);
	}
}

/** The rate limiters of a run. Paid requests and downloads have separate limits. */
export class RateLimiters {
	readonly paid: RateLimiter;

	readonly downloads: RateLimiter;

	/** @param onHold Called once each time all requests have to wait, in milliseconds. */
	constructor(rates: AccountRates, onHold: (ms: number, failure: Failure) => void) {
		this.paid = new RateLimiter(rates.paid, onHold);
		this.downloads = new RateLimiter(rates.downloads, onHold);
	}
}
