import { setMaxListeners } from 'node:events';

import { PurchasingProcess } from '../../nodes/ImageGeneration/recall/process/process';

/** A clock that stands still until everything waits for it, in milliseconds. */
export class TestClock {
	now = 0;

	readonly #timers = new Set<{ at: number; ring: () => void }>();

	/** An n8n process with this clock. @param today the time of day as the clock starts */
	process(name: string, today = Date.now()): PurchasingProcess {
		return Object.assign(new PurchasingProcess(name), {
			now: () => this.now,
			timeOfDay: () => today + this.now,
			wait: async (ms: number, signal?: AbortSignal) => {
				await this.#wait(ms, signal);
			},
		});
	}

	async #wait(ms: number, signal?: AbortSignal): Promise<void> {
		await new Promise<void>((resolve) => {
			const timer = { at: this.now + ms, ring: resolve };
			this.#timers.add(timer);
			if (signal === undefined) return;
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
			const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
			if (next === undefined) throw new Error('Nothing waits for the clock.');
			this.#timers.delete(next);
			this.now = Math.max(this.now, next.at);
			next.ring();
		}
	}
}
