import { createHash } from 'node:crypto';

/** Numbers from 0 to 1 that depend on nothing but the words they grow from. */
export class Random {
	private state: number;

	constructor(words: string) {
		this.state = createHash('sha256').update(words).digest().readUInt32LE(0);
	}

	/** mulberry32: the next number, 0 <= n < 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	between(low: number, high: number): number {
		return low + (high - low) * this.next();
	}

	pick<Choice>(choices: readonly [Choice, ...Choice[]]): Choice {
		return choices[Math.floor(this.next() * choices.length)] ?? choices[0];
	}
}
