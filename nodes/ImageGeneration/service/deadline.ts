/** Reason to abort a request that is over. Made once, because an error collects its stack. */
const REQUEST_ENDED = new Error('the request has ended');

/**
 * The time limit of a request, as an abort signal. It aborts after the time, on Stop in n8n, or on
 * {@link Deadline.end}, which also closes a connection that is still open: destroying the body from
 * n8n's client does not always close the socket (2.40.3, 1.123.81).
 */
export class Deadline {
	/** Aborts the request. */
	readonly signal: AbortSignal;

	/** Whether the time has run out. */
	isOver = false;

	readonly #ms: number;

	readonly #controller = new AbortController();

	#endsAt = 0;

	/** Node 20 garbage-collects a timeout signal unless something references it. */
	#limit: AbortSignal | undefined;

	/**
	 * @param seconds The time limit, from now and from each {@link extend}.
	 * @param stop Aborts the request as well.
	 */
	constructor(seconds: number, stop?: AbortSignal) {
		this.#ms = seconds * 1000;
		const { signal } = this.#controller;
		this.signal = stop === undefined ? signal : AbortSignal.any([stop, signal]);
		this.extend();
		this.#watch();
	}

	/** Restarts the time limit, because there was progress. */
	extend(): void {
		this.#endsAt = performance.now() + this.#ms;
	}

	/** Cancels the time limit, and aborts the request if it is still open. */
	end(): void {
		this.#limit?.removeEventListener('abort', this.#check);
		this.#limit = undefined;
		this.#controller.abort(this.isOver ? new Error('timed out') : REQUEST_ENDED);
	}

	#watch(): void {
		const left = Math.ceil(this.#endsAt - performance.now());
		this.#limit = AbortSignal.timeout(Math.max(1, left));
		this.#limit.addEventListener('abort', this.#check);
	}

	readonly #check = (): void => {
		if (performance.now() < this.#endsAt) {
			this.#watch();
			return;
		}
		this.isOver = true;
		this.end();
	};
}
