import { settle } from '../failures/outcome';
import { PaceRate, type CallLimit } from './paceRate';
import { NotStarted } from './runCapped';
import { orAborted, wait } from './wait';

/** The state shared by concurrent runs that use the same service. */
export interface SharedPace {
	rate: PaceRate;
	/** Settles when the last queued request has gone out. */
	turns: Promise<unknown>;
	/** Number of requests waiting for their turn. */
	waiting: number;
	/** The failure of the last refused request. */
	lastRefusal: unknown;
}

/** A request that was let through. Call one of the methods when it has settled. */
export interface PacedCall {
	accepted(): void;
	/** @param asked How long the service asks to wait, in milliseconds. */
	refused(failure: unknown, asked: number | undefined): void;
}

/** How long a request may wait. */
export interface Patience {
	/** Longest wait the service may ask for, or time it may refuse all requests; in milliseconds. */
	patience: number;
	/** Aborts the wait. */
	signal: AbortSignal | undefined;
}

/** The service asks for too long a wait, or has refused every request for too long. */
export class NoTurn extends Error {
	/** @param asked How long the service asks to wait, in milliseconds; undefined if it did not say. */
	constructor(
		readonly lastRefusal: unknown,
		readonly asked: number | undefined,
	) {
		super('The service accepts no requests');
	}
}

export function newSharedPace(random?: () => number): SharedPace {
	return {
		rate: new PaceRate(random),
		turns: Promise.resolve(),
		waiting: 0,
		lastRefusal: undefined,
	};
}

/** Lets the requests of a run through one by one, when the service is likely to accept them. */
export class Pace {
	/** Number of the run's refused requests. */
	refusals = 0;
	/** Time that the run's requests waited, in milliseconds. */
	held = 0;
	private readonly startedAt = performance.now();

	private lastSentAt = -Infinity;

	/**
	 * @param interval The minimum time between two requests of the run, in milliseconds.
	 * @param onHold Called once each time all requests have to wait, in milliseconds.
	 */
	constructor(
		private readonly shared: SharedPace,
		private readonly interval: number,
		private readonly onHold: (ms: number, failure: unknown) => void,
	) {}

	get isHolding(): boolean {
		return this.shared.rate.isHolding;
	}

	get limit(): CallLimit | undefined {
		return this.shared.rate.limit;
	}

	/**
	 * Waits for the request's turn.
	 * @throws NoTurn if the wait would be too long, NotStarted if the signal is aborted.
	 */
	async admit(patience: Patience): Promise<PacedCall> {
		const { shared } = this;
		const { signal } = patience;
		const now = performance.now();
		const isFree = shared.waiting === 0 && shared.rate.delay(now) === 0;
		if (isFree && this.untilDue(now) <= 0 && signal?.aborted !== true) return this.send(now);
		try {
			for (;;) {
				const turn = shared.turns.then(async () => await this.takeTurn(patience));
				shared.waiting++;
				shared.turns = settle(turn).finally(() => shared.waiting--);
				const call = await orAborted(turn, signal);
				if (call !== undefined) return call;
				// Wait outside the queue, so that other runs can continue.
				await wait(Math.ceil(this.untilDue(performance.now())), signal);
			}
		} catch (error) {
			const failure = signal?.aborted === true ? new NotStarted() : error;
			throw failure;
		}
	}

	/** Milliseconds until the run's own interval allows the next request. */
	private untilDue(now: number): number {
		return this.lastSentAt + this.interval - now;
	}

	/** @returns undefined if only the run's own interval still delays the request. */
	private async takeTurn({ patience, signal }: Patience): Promise<PacedCall | undefined> {
		const { rate } = this.shared;
		for (;;) {
			signal?.throwIfAborted();
			const now = performance.now();
			const ms = rate.delay(now);
			if (ms === 0 || this.mayProbe(ms, patience)) {
				return this.untilDue(now) > 0 ? undefined : this.send(now);
			}
			if (rate.isHolding) this.assertPatient(ms, now, patience);
			// A timer may fire up to a millisecond early.
			await wait(Math.ceil(ms), signal);
			this.held += performance.now() - now;
		}
	}

	/** A run that starts during a long wait may send one request: the account may have changed. */
	private mayProbe(ms: number, patience: number): boolean {
		const { rate } = this.shared;
		return rate.isHolding && ms > patience && rate.refusedAt < this.startedAt;
	}

	private assertPatient(ms: number, now: number, patience: number): void {
		const { rate, lastRefusal } = this.shared;
		if (ms > patience) throw new NoTurn(lastRefusal, ms);
		const silentSince = Math.max(rate.refusingSince ?? now, this.startedAt);
		if (now - silentSince >= patience) throw new NoTurn(lastRefusal, undefined);
	}

	private send(sentAt: number): PacedCall {
		const { shared, onHold } = this;
		this.lastSentAt = sentAt;
		shared.rate.callSent(sentAt);
		return {
			accepted: () => {
				shared.rate.callAccepted(sentAt);
			},
			refused: (failure, asked) => {
				this.refusals++;
				shared.lastRefusal = failure;
				const now = performance.now();
				const startsHold = shared.rate.callRefused(sentAt, now, asked);
				if (startsHold) onHold(shared.rate.delay(now), failure);
			},
		};
	}
}
