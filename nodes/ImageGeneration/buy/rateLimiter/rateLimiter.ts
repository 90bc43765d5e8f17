import { Failed, type Failure, type RateLimited } from '../../failures/failures';
import { notStarted, settle } from '../../failures/outcome';
import { wait } from '../../service/wait';
import { RequestRate } from './requestRate';

/** Longest wait before a request looks again, in milliseconds: those ahead may have given up. */
const LONGEST_NAP = 1000;

/** What concurrent runs that use the same service know about its limit. */
export interface SharedLimit {
	rate: RequestRate;
	/** The waiting requests of all runs, in order of arrival. */
	queue: object[];
	/** The failure of the last refused request. */
	lastRefusal: Failure | undefined;
}

export function newSharedLimit(random?: () => number): SharedLimit {
	return { rate: new RequestRate(random), queue: [], lastRefusal: undefined };
}

/** How long a request may wait. */
export interface Patience {
	/** Longest wait the service may ask for, or time it may refuse all requests; in milliseconds. */
	patience: number;
	/** Aborts the wait. */
	signal: AbortSignal | undefined;
}

/** A request that may go out now. */
export interface Turn {
	/**
	 * Call if the service refuses the request because there are too many.
	 * @param asked How long the service asks to wait, in milliseconds.
	 */
	refused(failure: Failure, asked: number | undefined): void;
}

/** Lets the requests of a run through when the service is likely to accept them. */
export class RateLimiter {
	/** Number of the run's refused requests. */
	refusals = 0;
	/** How long the run was first in the queue and had to wait, in milliseconds. */
	held = 0;
	private readonly startedAt = performance.now();
	private lastSentAt = -Infinity;

	/**
	 * @param shared Shared with the other runs that use the same service.
	 * @param minInterval The minimum time between two requests of the run, in milliseconds.
	 * @param onHold Called once each time all requests have to wait, in milliseconds.
	 */
	constructor(
		private readonly shared: SharedLimit,
		private readonly minInterval: number,
		private readonly onHold: (ms: number, failure: Failure) => void,
	) {}

	/** Time between two requests that the service accepts, in milliseconds; 0 if none was refused. */
	get interval(): number {
		return this.shared.rate.interval;
	}

	/**
	 * Waits for the request's turn.
	 * @throws Failed if the wait would be too long, or if the signal is aborted.
	 */
	async acquire({ patience, signal }: Patience): Promise<Turn> {
		const { queue, rate } = this.shared;
		const place = {};
		queue.push(place);
		try {
			while (signal?.aborted !== true) {
				const now = performance.now();
				const delay = this.delay(now, patience);
				const ms = Math.max(delay, this.lastSentAt + this.minInterval - now);
				if (ms <= 0) return this.send(now);
				const ahead = queue.indexOf(place);
				// Half of the time that those ahead need, because they may need less.
				const nap = ms + ahead * Math.max(1, rate.interval / 2);
				await settle(wait(Math.min(Math.ceil(nap), LONGEST_NAP), signal));
				if (ahead === 0 && delay > 0) this.held += performance.now() - now;
			}
			throw new Failed(notStarted.failure);
		} finally {
			queue.splice(queue.indexOf(place), 1);
		}
	}

	/**
	 * Milliseconds until the service is likely to accept the request.
	 * @throws Failed if that is too long.
	 */
	private delay(now: number, patience: number): number {
		const { rate, lastRefusal } = this.shared;
		const { hold, closedSince = now } = rate;
		if (hold === undefined || lastRefusal === undefined) return rate.delay(now);
		if (hold.since + hold.asked - now > patience) {
			// A run that starts during a long hold may send one request: the account may have changed.
			if (hold.since < this.startedAt) return 0;
			throw new Failed(rateLimited(lastRefusal, hold.asked, patience));
		}
		const refusedFor = now - Math.max(closedSince, this.startedAt);
		if (refusedFor >= patience) {
			throw new Failed(rateLimited(lastRefusal, undefined, patience));
		}
		return rate.delay(now);
	}

	private send(sentAt: number): Turn {
		const { shared, onHold } = this;
		this.lastSentAt = sentAt;
		shared.rate.requestSent(sentAt);
		return {
			refused: (failure, asked) => {
				this.refusals++;
				shared.lastRefusal = failure;
				const now = performance.now();
				const startsHold = shared.rate.requestRefused(sentAt, now, asked);
				if (startsHold) onHold(shared.rate.delay(now), failure);
			},
		};
	}
}

function rateLimited(
	refusal: Failure,
	asked: number | undefined,
	patience: number,
): Failure & RateLimited {
	const { status, serviceMessage } = refusal;
	return { kind: 'rate limited', refusal, asked, patience, status, serviceMessage };
}
