import { Failed } from '../failures/failures';
import { hasEnd, TAIL_BYTES } from './imageEnd';
import type { Readable } from './readable';

/** What is known about an image before it is read. */
export interface ExpectedImage {
	type: string;
	/** Its first bytes. */
	head: Uint8Array;
	/** The Content-Length; an image of exactly this many bytes is complete. */
	length: number | undefined;
	/** The largest allowed size, in bytes. */
	maxBytes: number;
}

/** An image that is checked while it is read. */
export class CheckedImage {
	/** Why reading ended early: the image is too large or incomplete, or the source failed. */
	failure: Error | undefined;

	/** @param source If it has ended, `expected.head` is the whole image. */
	constructor(
		private readonly source: Readable,
		private readonly expected: ExpectedImage,
	) {}

	/** Returns a Node stream, without importing `node:stream`, which n8n forbids. */
	toStream(): Readable {
		const { from } = this.source.constructor as unknown as StreamClass;
		return from(this.#bytes(), { objectMode: false });
	}

	async *#bytes(): AsyncGenerator<Uint8Array> {
		const { head, maxBytes } = this.expected;
		const bytes = this.source.readableEnded ? [head] : this.source;
		let tail = Buffer.alloc(0);
		let size = 0;
		// A consumer may throw at `yield`; that is not a failure of the image.
		let isYielding = false;
		try {
			for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
				size += chunk.length;
				if (size > maxBytes) {
					throw new Failed({ kind: 'download', reason: 'too large', maxBytes });
				}
				tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
				isYielding = true;
				yield chunk;
				isYielding = false;
			}
			this.#checkEnd(size, tail);
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			if (!isYielding) this.failure = failure;
			throw failure;
		}
	}

	#checkEnd(size: number, tail: Uint8Array): void {
		const { type, head, length } = this.expected;
		// A different length may count the bytes before inflation, so it proves nothing.
		if (size === length || hasEnd({ type, size, head, tail })) return;
		throw new Failed({ kind: 'download', reason: 'incomplete' });
	}
}

/** The static part that all Node streams inherit. */
interface StreamClass {
	from: (source: AsyncIterable<Uint8Array>, options: { objectMode: false }) => Readable;
}
