import { settle } from '../failures/outcome';
import { PaceRate, type CallLimit } from './paceRate';
import { NotStarted } from './runCapped';
import { orAborted, wait } from './wait';

/** What the runs share that call the same service at the same time. */
export interface SharedPace {
	rate: PaceRate;
	/** Ends when the call before the next one went out. */
	turns: Promise<unknown>;
	/** Calls that wait for their turn. */
	waiting: number;
	/** What the last refused call failed with. */
	lastRefusal: unknown;
}

/** A call that went out at its turn. One of the two is told how it ended. */
export interface PacedCall {
	accepted(): void;
	/** @param asked How long the service asks to wait, in milliseconds. */
	refused(failure: unknown, asked: number | undefined): void;
}

/** How long a call may be held back. */
export interface Patience {
	/** Milliseconds that the service may ask to wait, or refuse all calls of the run. */
	patience: number;
	/** Ends the wait. */
	signal: AbortSignal | undefined;
}

/** No turn came: the service asks for a longer wait than allowed, or has long refused every call. */
export class NoTurn extends Error {
	/** @param asked How long the service asks to wait, in milliseconds; undefined if it did not say. */
	constructor(
		readonly lastRefusal: unknown,
		readonly asked: number | undefined,
	) {
		super('The service takes no calls');
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

/** Lets the calls of a run go out in turn, when the service is likely to take them. */
export class Pace {
	/** Calls of the run that were refused. */
	refusals = 0;
	/** Milliseconds for which its calls were held back. */
	held = 0;
	private readonly startedAt = performance.now();

	/** @param onHold Called once whenever all are told to wait, in milliseconds. */
	constructor(
		private readonly shared: SharedPace,
		private readonly onHold: (ms: number, failure: unknown) => void,
	) {}

	get isHolding(): boolean {
		return this.shared.rate.isHolding;
	}

	get limit(): CallLimit | undefined {
		return this.shared.rate.limit;
	}

	/**
	 * Waits until it is this call's turn.
	 * @throws NoTurn if it is not worth waiting for, NotStarted when the signal is aborted.
	 */
	async admit(patience: Patience): Promise<PacedCall> {
		const { shared } = this;
		const { signal } = patience;
		const now = performance.now();
		const isFree = shared.waiting === 0 && shared.rate.delay(now) === 0;
		if (isFree && signal?.aborted !== true) return this.send(now);
		const turn = shared.turns.then(async () => await this.takeTurn(patience));
		shared.waiting++;
		shared.turns = settle(turn).finally(() => shared.waiting--);
		try {
			return await orAborted(turn, signal);
		} catch (error) {
			const failure = signal?.aborted === true ? new NotStarted() : error;
			throw failure;
		}
	}

	private async takeTurn({ patience, signal }: Patience): Promise<PacedCall> {
		const { rate } = this.shared;
		for (;;) {
			signal?.throwIfAborted();
			const now = performance.now();
			const ms = rate.delay(now);
			if (ms === 0 || this.asksFirst(ms, patience)) return this.send(now);
			if (rate.isHolding) this.assertPatient(ms, now, patience);
			// A timer may be early by less than a millisecond.
			await wait(Math.ceil(ms), signal);
			this.held += performance.now() - now;
		}
	}

	/** A run that begins while all wait for long asks once itself: the account may have changed. */
	private asksFirst(ms: number, patience: number): boolean {
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
		shared.rate.callSent(sentAt);
		return {
			accepted: () => {
				shared.rate.callAccepted(sentAt);
			},
			refused: (failure, asked) => {
				this.refusals++;
				shared.lastRefusal = failure;
				const now = performance.now();
				const isNews = shared.rate.callRefused(sentAt, now, asked);
				if (isNews) onHold(shared.rate.delay(now), failure);
			},
		};
	}
}
