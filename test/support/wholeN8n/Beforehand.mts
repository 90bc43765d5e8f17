/** What the tests of a file begin at the same time, before all of them, because it takes long. */
export class Beforehand {
	readonly #beginnings: Array<() => Promise<unknown>> = [];

	/** Adds what one test begins. @returns gives the outcome to the test */
	add<Outcome>(begin: () => Promise<Outcome>): () => Promise<Outcome> {
		let begun: Promise<Outcome> | undefined;
		this.#beginnings.push(async () => {
			begun = begin();
			await begun;
		});
		return async () => await (begun ?? Promise.reject(new Error('Nothing has begun.')));
	}

	/** Begins everything. What fails is left to its own test. */
	async begin(): Promise<void> {
		await Promise.allSettled(this.#beginnings.map(async (begin) => await begin()));
	}
}
