import { createHash } from 'node:crypto';

/** Returns the number that a text stands for as a seed. */
export function seedOf(text: string): number {
	return createHash('sha256').update(text).digest().readUInt32LE(0);
}

/** A seeded random number generator (mulberry32). */
export class Random {
	private state: number;

	constructor(seed: string) {
		this.state = seedOf(seed);
	}

	/** Returns the next number, 0 <= n < 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	between(low: number, high: number): number {
		return low + (high - low) * this.next();
	}
}
