/** At most `calls` calls in any `period` milliseconds. */
export interface CallLimit {
	calls: number;
	period: number;
}

/** The first wait if the service does not say how long; also its usual least `Retry-After`. */
const FIRST_WAIT = 1000;
const LEAST_WAIT = 400;
const LONGEST_WAIT = 60_000;
/** Limits over more than a minute are learnt as if it were a minute, so that an outage is over soon. */
const LONGEST_PERIOD = 65_000;
const MOST_REMEMBERED = 1000;
/** How many rounds of calls go out at the measured rate before a higher one is tried. */
const STEADY_ROUNDS = 4;

/**
 * Finds the rate at which a service takes calls, from nothing but which calls it refused. Free of
 * timers: every method takes the time, in milliseconds of any clock that never goes back.
 *
 * Nothing is held back until the first refusal. Then all wait, and one call goes ahead. Once it is
 * not refused, what got through until then is the limit: so many calls in so much time. After four
 * rounds at that rate it is raised, slowly at first and then faster (as TCP CUBIC does), until the
 * next refusal measures it anew.
 */
export class PaceRate {
	/** When the calls went out that were not refused, the latest ones. */
	private readonly sentTimes: number[] = [];
	private phase: 'free' | 'holding' | 'leading' | 'paced' = 'free';
	private measured: CallLimit = { calls: Infinity, period: 0 };
	/** Calls of a round, and those that went out since the limit was measured. */
	private round = 1;
	private passed = 0;
	/** What is measured begins here: with the first call, or the one that last went ahead. */
	private since: number | undefined;
	private leaderAt = -Infinity;
	private heldAt = 0;
	private holdUntil = 0;
	private holdingSince = 0;
	private refused: { sentAt: number; wasAsked: boolean } = { sentAt: 0, wasAsked: false };
	/** When a call was last refused. */
	refusedAt = -Infinity;
	/** The first refusal after which no call got through; undefined if one did. */
	refusingSince: number | undefined;
	/** How long the service takes to refuse a call, about. */
	private refusalTime = 0;

	constructor(private readonly random: () => number = Math.random) {}

	get isHolding(): boolean {
		return this.phase === 'holding';
	}

	/** The rate that is kept now; undefined as long as nothing was refused. */
	get limit(): CallLimit | undefined {
		const { calls, period } = this.measured;
		if (calls === Infinity) return undefined;
		const rounds = Math.max(0, this.passed / this.round - STEADY_ROUNDS);
		return { calls, period: period / (1 + (rounds / 3) ** 3 / 2) };
	}

	/** Milliseconds until the next call may go out. */
	delay(now: number): number {
		if (this.phase === 'holding') return Math.max(0, this.holdUntil - now);
		const { limit, sentTimes } = this;
		if (limit === undefined) return 0;
		const { calls, period } = limit;
		// A third of the period for all of its calls: if they come too soon, few are refused.
		const afterLast = (sentTimes.at(-1) ?? -Infinity) + period / calls / 3;
		const afterOldest = (sentTimes.at(-calls) ?? -Infinity) + period;
		const afterLeader = this.phase === 'leading' ? this.leaderAt + 2 * this.refusalTime : 0;
		return Math.max(0, Math.max(afterLast, afterOldest, afterLeader) - now);
	}

	/** A call goes out. */
	callSent(now: number): void {
		if (this.phase === 'holding') this.measure(now);
		else if (this.phase === 'leading') this.followLeader();
		this.since ??= now;
		this.passed++;
		this.sentTimes.push(now);
		if (this.sentTimes.length > MOST_REMEMBERED) this.sentTimes.shift();
	}

	/** The service took the call that went out then. */
	callAccepted(sentAt: number): void {
		if (this.phase === 'leading' && sentAt >= this.leaderAt) this.followLeader();
		if (sentAt > (this.refusingSince ?? Infinity)) this.refusingSince = undefined;
	}

	/**
	 * The service refused the call that went out then.
	 * @param asked How long it asks to wait, in milliseconds.
	 * @returns whether all are held back because of it, and were not before.
	 */
	callRefused(sentAt: number, now: number, asked?: number): boolean {
		const place = this.sentTimes.lastIndexOf(sentAt);
		if (place >= 0) this.sentTimes.splice(place, 1);
		this.refusalTime =
			this.refusalTime === 0 ? now - sentAt : (this.refusalTime + now - sentAt) / 2;
		this.refusedAt = now;
		this.refusingSince ??= now;
		if (this.phase === 'holding') {
			// One of those that were under way together; the longest wait counts, from the first refusal.
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
		this.refused = { sentAt, wasAsked: asked !== undefined };
		// By chance, so that whoever else was refused does not come back at the same time.
		const chance = this.random();
		const part = 0.6 + 0.3 * chance;
		const { limit } = this;
		const own = limit
			? Math.max(limit.period / limit.calls, limit.period / 4, LEAST_WAIT)
			: FIRST_WAIT;
		const allowed =
			asked === undefined
				? own * part
				: asked + 10 + 0.03 * chance * Math.min(asked, 3 * LONGEST_WAIT);
		const growing = Math.min(LONGEST_WAIT, now - this.holdingSince) * part;
		this.holdUntil = now + Math.max(allowed, growing);
	}

	/** Takes what got through for the limit, and lets one call go ahead. */
	private measure(now: number): void {
		const { since = now, sentTimes, refused } = this;
		const got = sentTimes.filter((time) => time >= since).length;
		// If the service did not say when, it could have been any time since the last refusal.
		const open = refused.wasAsked ? now : now - 0.4 * (now - refused.sentAt);
		const lastSent = sentTimes.at(-1) ?? since;
		const ms = lastSent - since + Math.min(open - lastSent, LONGEST_PERIOD);
		const calls = Math.min(this.measured.calls, Math.ceil(got * Math.min(1, LONGEST_PERIOD / ms)));
		this.measured =
			got === 0
				? { calls: 1, period: Math.min(now - since, FIRST_WAIT) }
				: { calls, period: (ms * calls) / got };
		// Few calls are a poor measure, unless the service itself said when the next may come.
		const least = refused.wasAsked ? 1 : 5;
		this.round = Math.min(50, Math.max(this.measured.calls, least, Math.min(got, 20)));
		this.passed = 0;
		this.phase = 'leading';
		this.leaderAt = now;
	}

	private followLeader(): void {
		this.phase = 'paced';
		this.since = this.leaderAt;
	}
}
