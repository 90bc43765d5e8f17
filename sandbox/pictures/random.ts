import { createHash } from 'node:crypto';

/** A random number generator (mulberry32) that gives the same numbers for the same text. */
export class Random {
	private state: number;

	constructor(seed: string) {
		this.state = createHash('sha256').update(seed).digest().readUInt32LE(0);
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
