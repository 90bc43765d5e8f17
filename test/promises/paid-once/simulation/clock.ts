// First, because what it replaces must not be loaded yet.
import './virtualTime';

import { N8nProcess } from '../../../../nodes/ImageGeneration/run/n8nProcess';

/** What happens at a time. */
interface Event {
	at: number;
	/** The process whose code it runs; undefined for the world's. */
	process: SimulatedProcess | undefined;
	happen: () => void;
	isCanceled: boolean;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** When the simulated world begins, in milliseconds since 1970. */
const BEGIN = Date.UTC(2026, 0, 5);

/** More than any schedule needs. */
const MOST_EVENTS = 60_000;

/** A world's own time, in milliseconds. It jumps from event to event. */
export class Clock {
	time = 0;

	/** The process whose code runs now. An event and all promises that it settles belong to one process. */
	current: SimulatedProcess | undefined;

	isEndless = false;

	/** Milliseconds since 1970. */
	get timeOfDay(): number {
		return BEGIN + this.time;
	}

	#happened = 0;

	/** In the order in which they happen. */
	readonly #events: Event[] = [];

	/** @returns how to cancel it */
	after(ms: number, process: SimulatedProcess | undefined, happen: () => void): () => void {
		const event = {
			at: this.time + ms,
			process,
			happen,
			isCanceled: false,
		};
		const place = this.#events.findLastIndex(({ at }) => at <= event.at) + 1;
		this.#events.splice(place, 0, event);
		return () => {
			event.isCanceled = true;
		};
	}

	/** Resolves after a time unless the process dies, early if the signal is aborted. */
	async sleep(
		process: SimulatedProcess | undefined,
		ms: number,
		signal?: AbortSignal,
	): Promise<void> {
		if (signal?.aborted === true) return;
		await new Promise<void>((resolve) => {
			const wake = () => {
				cancel();
				signal?.removeEventListener('abort', wake);
				resolve();
			};
			const cancel = this.after(ms, process, wake);
			signal?.addEventListener('abort', wake);
		});
	}

	/** The same for the process whose code runs now. */
	async rest(ms: number, signal?: AbortSignal): Promise<void> {
		await this.sleep(this.current, ms, signal);
	}

	/** An abort signal that is aborted after a time. */
	timeout(ms: number): AbortSignal {
		const controller = new AbortController();
		this.after(ms, this.current, () => controller.abort(new Error('timed out')));
		return controller.signal;
	}

	/** Lets everything happen until nothing is left to happen. */
	async play(): Promise<void> {
		let event = this.#events.shift();
		while (event !== undefined && !this.isEndless) {
			this.time = Math.max(this.time, event.at);
			await this.#happen(event);
			this.isEndless = this.#happened > MOST_EVENTS;
			event = this.#events.shift();
		}
	}

	async #happen({ process, happen, isCanceled }: Event): Promise<void> {
		if (isCanceled || process?.isDead === true) return;
		const begin = process?.startsAt ?? 0;
		if (begin > this.time) {
			this.after(begin - this.time, process, happen);
			return;
		}
		this.#happened++;
		this.current = process;
		happen();
		// All promises that this event settles.
		await new Promise(setImmediate);
		this.current = undefined;
	}
}

/** An n8n process on a clock. One that is dead never runs on. */
export class SimulatedProcess extends N8nProcess {
	isDead = false;

	/** When it is up. */
	startsAt = 0;

	constructor(
		private readonly clock: Clock,
		readonly name: string,
	) {
		super();
	}

	override timeOfDay(): number {
		return this.clock.timeOfDay;
	}

	override now(): number {
		return this.clock.time;
	}

	override async wait(ms: number, signal?: AbortSignal): Promise<void> {
		await this.clock.sleep(this, ms, signal);
	}
}
