/** At most `calls` requests in any `period` milliseconds. */
export interface CallLimit {
	calls: number;
	period: number;
}

/** First wait if the service does not say how long; also the usual minimum of `Retry-After`. */
const FIRST_WAIT = 1000;
const LEAST_WAIT = 400;
const LONGEST_WAIT = 60_000;
/** Longer periods are treated as about a minute, to recover soon after an outage. */
const LONGEST_PERIOD = 65_000;
const MOST_REMEMBERED = 1000;
/** Rounds of requests at the measured rate before a higher one is tried. */
const STEADY_ROUNDS = 4;

/**
 * Measures the rate at which a service accepts requests, only from which ones it refuses. It has no
 * timers: every method takes the time, in milliseconds of a monotonic clock.
 *
 * Requests go out freely until the first refusal. Then all wait, and one leads. If it is accepted, the
 * requests that got through before it define the limit. After four rounds at that rate the limit is
 * raised, slowly at first and then faster (like TCP CUBIC), until the next refusal measures it again.
 */
export class PaceRate {
	/** Send times of the latest requests that were not refused. */
	private readonly sentTimes: number[] = [];
	private phase: 'free' | 'holding' | 'leading' | 'paced' = 'free';
	private measured: CallLimit = { calls: Infinity, period: 0 };
	/** Requests in a round, and requests sent since the limit was measured. */
	private round = 1;
	private sentCount = 0;
	/** Start of the measurement: the first request, or the last one that led. */
	private since: number | undefined;
	private leaderAt = -Infinity;
	private heldAt = 0;
	private holdUntil = 0;
	private holdingSince = 0;
	private refused: { sentAt: number; asked: number | undefined } = { sentAt: 0, asked: undefined };
	/** When a request was last refused. */
	refusedAt = -Infinity;
	/** The first refusal since a request last got through; undefined if none. */
	refusingSince: number | undefined;
	/** Approximate time that the service takes to refuse a request. */
	private refusalTime = 0;

	constructor(private readonly random: () => number = Math.random) {}

	get isHolding(): boolean {
		return this.phase === 'holding';
	}

	/** The current limit; undefined until a request is refused. */
	get limit(): CallLimit | undefined {
		const { calls, period } = this.measured;
		if (calls === Infinity) return undefined;
		const rounds = Math.max(0, this.sentCount / this.round - STEADY_ROUNDS);
		return { calls, period: period / (1 + (rounds / 3) ** 3 / 2) };
	}

	/** Milliseconds until the next request may go out. */
	delay(now: number): number {
		if (this.phase === 'holding') return Math.max(0, this.holdUntil - now);
		const { limit, sentTimes } = this;
		if (limit === undefined) return 0;
		const { calls, period } = limit;
		// Spread over a third of the period: if they come too soon, few are refused.
		const afterLast = (sentTimes.at(-1) ?? -Infinity) + period / calls / 3;
		const afterOldest = (sentTimes.at(-calls) ?? -Infinity) + period;
		const afterLeader = this.phase === 'leading' ? this.leaderAt + 2 * this.refusalTime : 0;
		return Math.max(0, Math.max(afterLast, afterOldest, afterLeader) - now);
	}

	/** Records that a request goes out. */
	callSent(now: number): void {
		if (this.phase === 'holding') this.measure(now);
		else if (this.phase === 'leading') this.followLeader();
		this.since ??= now;
		this.sentCount++;
		this.sentTimes.push(now);
		if (this.sentTimes.length > MOST_REMEMBERED) this.sentTimes.shift();
	}

	/** Records that the service accepted the request that was sent then. */
	callAccepted(sentAt: number): void {
		if (this.phase === 'leading' && sentAt >= this.leaderAt) this.followLeader();
		if (sentAt > (this.refusingSince ?? Infinity)) this.refusingSince = undefined;
	}

	/**
	 * Records that the service refused the request that was sent then.
	 * @param asked The wait that it asks for, in milliseconds.
	 * @returns whether this starts a new hold of all requests.
	 */
	callRefused(sentAt: number, now: number, asked?: number): boolean {
		const place = this.sentTimes.lastIndexOf(sentAt);
		if (place >= 0) this.sentTimes.splice(place, 1);
		this.refusalTime =
			this.refusalTime === 0 ? now - sentAt : (this.refusalTime + now - sentAt) / 2;
		this.refusedAt = now;
		this.refusingSince ??= now;
		if (this.phase === 'holding') {
			// It was in flight with the one refused first; the longest wait from there counts.
			this.holdUntil = Math.max(this.holdUntil, this.heldAt + (asked ?? 0));
			return false;
		}
		if (sentAt < this.leaderAt) return false;
		this.hold(sentAt, now, asked);
		return true;
	}

	private hold(sentAt: number, now: number, asked: number | undefined): void {
		if (this.phase !== 'leading') this.holdingSince = now;
		this.phase = 'holding';
		this.heldAt = now;
		this.refused = { sentAt, asked };
		// Jitter, so that other refused clients do not come back at the same time.
		const jitter = this.random();
		const part = 0.6 + 0.3 * jitter;
		const { limit } = this;
		const own = limit
			? Math.max(limit.period / limit.calls, limit.period / 4, LEAST_WAIT)
			: FIRST_WAIT;
		const allowed =
			asked === undefined
				? own * part
				: asked + 10 + 0.03 * jitter * Math.min(asked, 3 * LONGEST_WAIT);
		const growing = Math.min(LONGEST_WAIT, now - this.holdingSince) * part;
		this.holdUntil = now + Math.max(allowed, growing);
	}

	/** Sets the limit to what got through, and lets one request lead. */
	private measure(now: number): void {
		const { since = now, sentTimes, refused } = this;
		const got = sentTimes.filter((time) => time >= since).length;
		// When the service began to accept requests again: at the time it named, however long the response
		// took, or else some time after the last refusal.
		const sinceRefusal = now - refused.sentAt;
		const open =
			now - (refused.asked ? Math.max(0, sinceRefusal - 1.02 * refused.asked) : 0.4 * sinceRefusal);
		const lastSent = sentTimes.at(-1) ?? since;
		const ms = lastSent - since + Math.min(open - lastSent, LONGEST_PERIOD);
		const calls = Math.min(this.measured.calls, Math.ceil(got * Math.min(1, LONGEST_PERIOD / ms)));
		this.measured =
			got === 0
				? { calls: 1, period: Math.min(now - since, FIRST_WAIT) }
				: { calls, period: (ms * calls) / got };
		// Few requests measure poorly, unless the service itself said when to come back.
		const least = refused.asked === undefined ? 5 : 1;
		this.round = Math.min(50, Math.max(this.measured.calls, least, Math.min(got, 20)));
		this.sentCount = 0;
		this.phase = 'leading';
		this.leaderAt = now;
	}

	private followLeader(): void {
		this.phase = 'paced';
		this.since = this.leaderAt;
	}
}
