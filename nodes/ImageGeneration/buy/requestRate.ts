import type { Failure } from '../failures/failures';

/** Shortest wait: most limits count per second or per minute, and all refusals have to arrive. */
const LEAST_WAIT = 1000;
/** Longest wait, and longest time that is measured: limits count per minute; more was an outage. */
const LONGEST_WAIT = 65_000;
/** Random part of a wait, so that clients refused together do not come back together. */
const JITTER = 0.05;
/** Requests in a round at least: a rate measured from fewer is inexact. */
const LEAST_ROUND = 4;
/** Rounds at the measured rate before a higher one is tried: refusals stay below one in ten. */
const STEADY_ROUNDS = 2;
/** How much the interval shrinks in each round after that. */
const SPEED_UP = 0.8;

/**
 * Finds the rate at which a service accepts requests, only from which ones it refuses. It has no
 * timers: every method takes the time, in milliseconds of a monotonic clock.
 *
 * Requests go out freely until the first refusal. Then all wait. The requests that got through before
 * the refusal, which are a round, and the time until the service is open again give the interval. After
 * two rounds at that interval it shrinks, until the next refusal measures it again.
 */
export class RequestRate {
	/** Time between two requests, in milliseconds; 0 until one is refused. */
	interval = 0;
	/** The wait of all requests after a refusal, and how long the service asks for; 0 if it does not say. */
	hold: { since: number; asked: number; jitter: number } | undefined;
	lastRefusal: Failure | undefined;
	/** The waiting requests of all runs that share the limit, in order of arrival. */
	readonly queue: object[] = [];
	private nextAt = -Infinity;
	/** Requests since the last hold that were not refused. */
	private window = { since: 0, passed: 0 };
	/** The last window in which a request got through. */
	private measured = this.window;
	private refusedSince: number | undefined;

	constructor(private readonly random: () => number = Math.random) {}

	/** Since when the service has refused everything; undefined if a request may have got through. */
	get closedSince(): number | undefined {
		return this.window.passed > 0 ? undefined : this.refusedSince;
	}

	/** Milliseconds until the next request may go out. */
	delay(now: number): number {
		return Math.max(0, this.nextAt - now);
	}

	/** Records that a request goes out. */
	requestSent(now: number): void {
		if (this.hold !== undefined) this.endHold(this.hold.since, now);
		const { window, measured } = this;
		if (window.passed === 0) window.since = now;
		const round = Math.max(LEAST_ROUND, measured.passed);
		if (window.passed > STEADY_ROUNDS * round) this.interval *= SPEED_UP ** (1 / round);
		window.passed++;
		// Makes up for a request that went out late, as timers on a busy machine are.
		this.nextAt = Math.max(this.nextAt, now - this.interval) + this.interval;
	}

	/**
	 * Records that the service refused the request that was sent then.
	 * @param asked The wait that it asks for, in milliseconds.
	 * @returns whether this starts a new hold of all requests.
	 */
	requestRefused(sentAt: number, now: number, asked = 0): boolean {
		if (sentAt < this.window.since) return false;
		const startsHold = this.hold === undefined;
		this.hold ??= { since: now, asked: 0, jitter: 1 + JITTER * this.random() };
		const { hold } = this;
		this.window.passed--;
		this.refusedSince ??= now;
		hold.asked = Math.max(hold.asked, asked);
		// As long as it has been closed, so the waits double.
		const own = Math.max(LEAST_WAIT, this.interval, now - (this.closedSince ?? now));
		const wait = Math.max(hold.asked, Math.min(own, LONGEST_WAIT));
		this.nextAt = Math.max(this.nextAt, hold.since + wait * hold.jitter);
		return startsHold;
	}

	/** Measures the interval, because the service may be open again. */
	private endHold(heldSince: number, now: number): void {
		if (this.window.passed > 0) {
			this.measured = this.window;
			this.refusedSince = heldSince;
		} else if (now - this.nextAt > LONGEST_WAIT) {
			// Nobody asked meanwhile, so it may have been open.
			this.refusedSince = undefined;
		}
		const { since, passed } = this.measured;
		const ms = Math.min(this.nextAt, now, since + LONGEST_WAIT) - since;
		this.interval = Math.max(this.interval, passed === 0 ? LEAST_WAIT : ms / passed);
		this.window = { since: now, passed: 0 };
		this.hold = undefined;
		this.nextAt = now;
	}
}
