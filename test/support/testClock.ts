import { setMaxListeners } from 'node:events';

import { N8nProcess } from '../../nodes/ImageGeneration/run/n8nProcess';
import type { TableClock } from './n8nTables';

/** A clock that stands still until everything waits for it, in milliseconds. */
export class TestClock implements TableClock {
	now = 0;

	readonly #timers = new Set<{ at: number; ring: () => void }>();

	/** @param today The time of day as it starts. */
	constructor(private readonly today = Date.parse('2026-11-28T12:00:00Z')) {}

	timeOfDay(): number {
		return this.today + this.now;
	}

	/** An n8n process with this clock. */
	process(): N8nProcess {
		return Object.assign(new N8nProcess(), {
			now: () => this.now,
			timeOfDay: () => this.timeOfDay(),
			wait: async (ms: number, signal?: AbortSignal) => {
				await this.wait(ms, signal);
			},
		});
	}

	async wait(ms: number, signal?: AbortSignal): Promise<void> {
		await new Promise<void>((resolve) => {
			this.#timers.add({ at: this.now + ms, ring: resolve });
			if (signal === undefined) return;
			// Each wait adds a listener, and the test ends with them.
			setMaxListeners(0, signal);
			signal.addEventListener('abort', () => {
				resolve();
			});
			if (signal.aborted) resolve();
		});
	}

	/** Lets the time pass until a promise is settled. */
	async run<T>(promise: Promise<T>): Promise<T> {
		const state = { isSettled: false };
		const note = () => {
			state.isSettled = true;
		};
		promise.then(note, note);
		while (true) {
			// All promises that can be settled by now.
			await new Promise(setImmediate);
			if (state.isSettled) return await promise;
			await this.#advance();
		}
	}

	/** Lets this time pass. */
	async pass(ms: number): Promise<void> {
		await this.run(this.wait(ms));
	}

	async #advance(): Promise<void> {
		const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
		if (next === undefined) throw new Error('Nothing waits for the clock.');
		this.#timers.delete(next);
		this.now = Math.max(this.now, next.at);
		next.ring();
		await Promise.resolve();
	}
}
