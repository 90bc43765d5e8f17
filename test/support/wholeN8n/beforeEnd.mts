import { before } from 'node:test';
import type { Fixture } from './fixture.mjs';

/** One end of n8n that several tests share, because n8n starts slowly. */
export class BeforeEnd {
	readonly #begun: Array<() => Promise<unknown>> = [];

	/** @param end How n8n ends once everything has begun. Then it starts again, before the tests. */
	constructor(fixture: Fixture, end: 'stop' | 'kill') {
		before(async () => {
			await Promise.all(this.#begun.map(async (begin) => await begin()));
			await fixture.restart(end);
			fixture.sandbox.disarm();
		});
	}

	/** Adds what a test does before. @returns gives its outcome to the test */
	add<Outcome>(begin: () => Promise<Outcome>): () => Promise<Outcome> {
		let begun: Promise<Outcome> | undefined;
		this.#begun.push(async () => {
			begun = begin();
			// What fails is left to its own test.
			await Promise.allSettled([begun]);
		});
		return async () => await (begun ?? Promise.reject(new Error('n8n did not start again.')));
	}
}
