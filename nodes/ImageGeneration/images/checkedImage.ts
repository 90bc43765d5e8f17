import { hasEnd, TAIL_BYTES } from './imageEnd';
import type { Readable } from './readable';

/** What is known of an image before it is read. */
export interface ExpectedImage {
	type: string;
	/** Its first bytes. */
	head: Uint8Array;
	/** Its announced length in bytes; with as many it is whole. */
	length: number | undefined;
	/** The most that is read, in bytes. */
	maxBytes: number;
}

/** Why an image that comes in is not good. */
export class BadImage extends Error {
	constructor(readonly reason: 'too large' | 'without its end') {
		super(reason);
	}
}

/** An image that is checked while it is read. */
export class CheckedImage {
	/** What ended the reading: a {@link BadImage}, or what the source broke off with. */
	failure: Error | undefined;

	/** @param source If it has ended, `expected.head` is all there was. */
	constructor(
		private readonly source: Readable,
		private readonly expected: ExpectedImage,
	) {}

	/** Its bytes as a stream of Node's own kind, whose module this node may not import. */
	toStream(): Readable {
		const { from } = this.source.constructor as unknown as StreamClass;
		return from(this.#bytes(), { objectMode: false });
	}

	async *#bytes(): AsyncGenerator<Uint8Array> {
		const { head, maxBytes } = this.expected;
		const bytes = this.source.readableEnded ? [head] : this.source;
		const tail = new Tail();
		let size = 0;
		// Whoever takes the bytes may throw at a `yield`, which is no fault of the image.
		let isTaken = false;
		try {
			for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
				size += chunk.length;
				if (size > maxBytes) throw new BadImage('too large');
				tail.add(chunk);
				isTaken = true;
				yield chunk;
				isTaken = false;
			}
			this.#checkEnd(size, tail);
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			if (!isTaken) this.failure = failure;
			throw failure;
		}
	}

	#checkEnd(size: number, tail: Tail): void {
		const { type, head, length } = this.expected;
		// Another length counts the bytes before they were inflated, and says nothing.
		if (size === length || hasEnd({ type, size, head, tail: tail.bytes() })) return;
		throw new BadImage('without its end');
	}
}

/** The class of any of Node's streams, which all inherit it. */
interface StreamClass {
	from: (source: AsyncIterable<Uint8Array>, options: { objectMode: false }) => Readable;
}

/** The last bytes of what passes. */
class Tail {
	readonly #chunks: Uint8Array[] = [];

	#length = 0;

	add(chunk: Uint8Array): void {
		this.#chunks.push(chunk);
		this.#length += chunk.length;
		for (let first = this.#chunks[0]; first !== undefined; first = this.#chunks[0]) {
			if (this.#length - first.length < TAIL_BYTES) return;
			this.#chunks.shift();
			this.#length -= first.length;
		}
	}

	bytes(): Uint8Array {
		return Buffer.concat(this.#chunks);
	}
}
