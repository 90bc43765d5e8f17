/**
 * The time that a call may take, as a signal for its request. It ends with the call's time, with
 * Stop in n8n, or with {@link Deadline.end}, which also closes what a request left open: to destroy
 * the body that n8n's client hands out does not always reach its socket (n8n 2.40.3, 1.123.81).
 */
export class Deadline {
	/** Aborts the request. */
	readonly signal: AbortSignal;

	/** Whether the time was up. */
	isOver = false;

	readonly #ms: number;

	readonly #controller = new AbortController();

	#endsAt = 0;

	/** Node 20 garbage-collects a timeout's signal unless somebody holds it. */
	#limit: AbortSignal | undefined;

	/**
	 * @param seconds The time that is left from now on, and from each {@link extend}.
	 * @param stop Ends the call as well.
	 */
	constructor(seconds: number, stop?: AbortSignal) {
		this.#ms = seconds * 1000;
		const { signal } = this.#controller;
		this.signal = stop === undefined ? signal : AbortSignal.any([stop, signal]);
		this.extend();
		this.#watch();
	}

	/** Starts the time anew, as there was a sign of life. */
	extend(): void {
		this.#endsAt = performance.now() + this.#ms;
	}

	/**
	 * Waits for what knows no signal.
	 * @throws the signal's reason if the call ends first.
	 */
	async wait<T>(promise: Promise<T>): Promise<T> {
		this.signal.throwIfAborted();
		let abort = () => {};
		const aborted = new Promise<never>((_resolve, reject) => {
			abort = () => {
				reject(this.signal.reason as Error);
			};
		});
		this.signal.addEventListener('abort', abort);
		try {
			return await Promise.race([promise, aborted]);
		} finally {
			this.signal.removeEventListener('abort', abort);
		}
	}

	/** Forgets the time, and aborts what is still open. */
	end(): void {
		this.#limit?.removeEventListener('abort', this.#check);
		this.#limit = undefined;
		this.#controller.abort(new Error(this.isOver ? 'not in time' : 'the call has ended'));
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
