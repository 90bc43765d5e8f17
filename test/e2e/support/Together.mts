import { before } from 'node:test';
import { fewAtOnce } from './fewAtOnce.mjs';

/** Tells the stories of several tests together, because each waits most of its time. */
export class Together {
	readonly #stories: Array<() => Promise<unknown>> = [];

	constructor() {
		before(async () => {
			await fewAtOnce(this.#stories, async (tell) => await tell());
		});
	}

	/** Adds a story. @returns gives its outcome to the test */
	share<Outcome>(story: () => Promise<Outcome>): () => Promise<Outcome> {
		let told: Promise<Outcome> | undefined;
		this.#stories.push(async () => {
			told = story();
			// A story that fails is left to its own test.
			await Promise.allSettled([told]);
		});
		return async () => await (told ?? Promise.reject(new Error('It was not told.')));
	}
}
