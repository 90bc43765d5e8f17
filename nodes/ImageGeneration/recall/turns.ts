import { settle } from '../failures/failures';

/** Takes one step after the other, also after one that failed. */
export class Turns {
	#last: Promise<unknown> = Promise.resolve();

	async take(step: () => Promise<void>): Promise<void> {
		const turn = this.#last.then(step);
		this.#last = settle(turn);
		await turn;
	}
}
