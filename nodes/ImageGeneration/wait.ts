import { sleep } from 'n8n-workflow';

/** What to do when one signal is aborted. One listener calls all: Node 20 warns about more than ten. */
class Callbacks extends Set<() => void> {
	readonly #callAll = (): void => this.forEach((call) => call());

	constructor(private readonly signal: AbortSignal) {
		super();
		signal.addEventListener('abort', this.#callAll);
	}

	/** Node keeps a signal of `AbortSignal.any` for ever if it still has a listener (20 and 24). */
	stopListening(): void {
		this.signal.removeEventListener('abort', this.#callAll);
	}
}

const callbacks = new WeakMap<AbortSignal, Callbacks>();

/** Calls back when the signal is aborted, or at once if it is. @returns a function that cancels this. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (signal?.aborted === true) callback();
	if (signal === undefined || signal.aborted) return () => {};
	const all = callbacks.get(signal) ?? new Callbacks(signal);
	callbacks.set(signal, all.add(callback));
	return () => {
		all.delete(callback);
		if (all.size > 0 || callbacks.get(signal) !== all) return;
		all.stopListening();
		callbacks.delete(signal);
	};
}

/**
 * Waits for a promise, or rejects as soon as the signal is aborted.
 * @throws the signal's reason if it is aborted.
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const cancel = onAbort(signal, () => reject(signal.reason as Error));
		promise.finally(cancel).then(resolve, reject);
	});
}

/**
 * Waits, or rejects as soon as the signal is aborted.
 * @param ms Milliseconds.
 * @throws the signal's reason if it is aborted.
 */
export async function wait(ms: number, stop: AbortSignal): Promise<void> {
	const ended = new AbortController();
	// n8n 2.40's `sleep` accepts a signal; that of 1.123 ignores it.
	await orAborted(sleep(ms, ended.signal), stop).finally(() => ended.abort());
}

/** Takes so many steps at once; the others wait in their order. */
export class Slots {
	readonly #waiting: Array<() => void> = [];

	/** @param free How many, 1 or more. */
	constructor(private free: number) {}

	/** @returns what the step returns, once it has had its turn. @throws what the step throws */
	async run<T>(step: () => Promise<T>): Promise<T> {
		if (this.free > 0) {
			this.free--;
		} else {
			await new Promise<void>((resolve) => {
				this.#waiting.push(resolve);
			});
		}
		try {
			return await step();
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) this.free++;
			else next();
		}
	}
}

/** Reasons to abort a request. Made once, because an error collects its stack. */
const REQUEST_ENDED = new Error('the request has ended');
const TIMED_OUT = new Error('timed out');

/** In milliseconds: a timer that fires this late tells that the whole process stood still. */
const STANDSTILL = 1000;

/**
 * Milliseconds to read what arrived during a standstill. A process wakes with its timers first and its
 * sockets after them (Node 20 and 24).
 */
const READING = 500;

/**
 * The time limit of a request, as an abort signal. It aborts after the time, on Stop in n8n, or on
 * {@link Deadline.end}, which also closes a connection that is still open: destroying the body from
 * n8n's client does not always close the socket (2.40.3, 1.123.81).
 */
export class Deadline {
	readonly #controller = new AbortController();

	/** Aborts the request. */
	readonly signal = this.#controller.signal;

	readonly #cancel: () => void;

	#endsAt = 0;

	/** Node keeps it until it fires, as long as somebody listens to it (20 and 24). */
	#timer: AbortSignal | undefined;

	readonly #onTime = (): void => void this.#check();

	/**
	 * @param seconds The time limit, from now and from each {@link extend}.
	 * @param stop Aborts the request as well.
	 */
	constructor(
		private readonly seconds: number,
		stop?: AbortSignal,
	) {
		this.#cancel = onAbort(stop, () => this.#controller.abort(stop?.reason));
		this.extend();
		this.#wait();
	}

	/** Whether the time has run out. */
	get isOver(): boolean {
		return this.signal.reason === TIMED_OUT;
	}

	/** Restarts the time limit, because there was progress. */
	extend(): void {
		this.#endsAt = performance.now() + this.seconds * 1000;
	}

	/** From now on, only the time limit ends the request, and no stop. */
	ignoreStop(): void {
		this.#cancel();
	}

	/** Cancels the time limit, and aborts the request with the reason if it is still open. */
	end(reason = REQUEST_ENDED): void {
		this.#cancel();
		this.#timer?.removeEventListener('abort', this.#onTime);
		this.#controller.abort(reason);
	}

	#wait(): void {
		const rest = Math.ceil(this.#endsAt - performance.now());
		this.#timer = AbortSignal.timeout(Math.max(1, rest));
		this.#timer.addEventListener('abort', this.#onTime);
	}

	/** Ends the request unless there was progress since the timer was set. */
	async #check(): Promise<void> {
		const isLate = performance.now() - this.#endsAt >= STANDSTILL;
		if (isLate) await sleep(READING);
		if (this.signal.aborted) return;
		if (performance.now() >= this.#endsAt) this.end(TIMED_OUT);
		else this.#wait();
	}
}
