/** First wait if the service does not say how long: most limits count per second or per minute. */
const FIRST_WAIT = 1000;
/** Later waits are at least this long, because it takes a moment until all refusals have arrived. */
const LEAST_WAIT = 400;
/** Waits grow this much while the service refuses everything: slow enough to notice when it stops. */
const WAIT_GROWTH = 1.75;
/** Longest wait, so that requests continue soon after an outage. */
const LONGEST_WAIT = 60_000;
/** Random part of a wait, so that clients refused together do not come back together. */
const JITTER = { own: 0.5, asked: 0.03 };
/** Longest time that is measured: limits count per minute at most; a longer one was an outage. */
const LONGEST_MEASURE = 65_000;
/** Requests in a round: a rate measured from fewer is inexact, more take too long to speed up. */
const ROUND = { least: 3, most: 50 };
/** Rounds at the measured rate before a higher one is tried: refusals stay below one in ten. */
const STEADY_ROUNDS = 2;
/** How much the interval shrinks in each round after that. */
const SPEED_UP = 0.8;

/** A wait of all requests, in milliseconds of a monotonic clock. */
interface Hold {
	since: number;
	until: number;
	/** How long the service asks to wait; 0 if it does not say. */
	asked: number;
}

/**
 * Finds the rate at which a service accepts requests, only from which ones it refuses. It has no
 * timers: every method takes the time, in milliseconds of a monotonic clock.
 *
 * Requests go out freely until the first refusal. Then all wait. The requests that got through before
 * the refusal and the time until the service is open again give the interval. After two rounds at
 * that interval it shrinks, until the next refusal measures it again.
 */
export class RequestRate {
	/** Time between two requests, in milliseconds; 0 until one is refused. */
	interval = 0;
	private nextAt = -Infinity;
	/** Requests since the last hold that were not refused. */
	private passed = { since: -Infinity, requests: 0 };
	private lastPassed = this.passed;
	private round = 0;
	/** The wait of all requests after a refusal; undefined if they need not wait. */
	hold: Hold | undefined;
	/** Number of holds since a request last got through, and when the first one began. */
	private closed = { holds: 0, since: 0 };

	constructor(private readonly random: () => number = Math.random) {}

	/** Since when the service has refused everything; undefined if a request may have got through. */
	get closedSince(): number | undefined {
		return this.hold === undefined || this.passed.requests > 0 ? undefined : this.closed.since;
	}

	/** Milliseconds until the next request may go out. */
	delay(now: number): number {
		return Math.max(0, (this.hold?.until ?? this.nextAt) - now);
	}

	/** Records that a request goes out. */
	requestSent(now: number): void {
		if (this.hold !== undefined) this.measure(this.hold, now);
		const { passed, round } = this;
		if (passed.requests === 0) passed.since = now;
		else if (passed.requests > STEADY_ROUNDS * round) this.interval *= SPEED_UP ** (1 / round);
		passed.requests++;
		// Makes up for a request that went out late, as timers on a busy machine are.
		this.nextAt = Math.max(this.nextAt, now - this.interval) + this.interval;
	}

	/**
	 * Records that the service refused the request that was sent then.
	 * @param asked The wait that it asks for, in milliseconds.
	 * @returns whether this starts a new hold of all requests.
	 */
	requestRefused(sentAt: number, now: number, asked = 0): boolean {
		const { passed, hold, closed } = this;
		if (sentAt < passed.since) return false;
		passed.requests--;
		if (hold !== undefined) {
			hold.asked = Math.max(hold.asked, asked);
			hold.until = Math.max(hold.until, hold.since + asked);
			return false;
		}
		if (closed.holds === 0) closed.since = now;
		const first = this.interval === 0 ? FIRST_WAIT : Math.max(LEAST_WAIT, this.interval);
		const wait = Math.min(LONGEST_WAIT, first * WAIT_GROWTH ** closed.holds);
		const own = wait * (1 - JITTER.own * this.random());
		const until = now + Math.max(own, asked * (1 + JITTER.asked * this.random()));
		this.hold = { since: now, until, asked };
		return true;
	}

	private measure(hold: Hold, now: number): void {
		const isClosed = this.passed.requests === 0;
		this.closed.holds = isClosed ? this.closed.holds + 1 : 0;
		if (!isClosed) this.lastPassed = this.passed;
		const { since, requests } = this.lastPassed;
		const ms = Math.min(Math.min(now, hold.until) - since, LONGEST_MEASURE);
		this.interval = Math.max(this.interval, requests === 0 ? FIRST_WAIT : ms / requests);
		this.round = Math.min(ROUND.most, Math.max(ROUND.least, requests));
		this.passed = { since: now, requests: 0 };
		this.hold = undefined;
		this.nextAt = now;
	}
}
