import { Failed } from '../failures/failures';
import type { Readable } from './readable';

/** What is known about an image before it is read. */
export interface ExpectedImage {
	type: string;
	/** Its first bytes. */
	head: Uint8Array;
	/** The Content-Length; an image of exactly this many bytes is complete. */
	length: number | undefined;
}

/** The largest image, in bytes after inflation. */
export const MAX_IMAGE_BYTES = 1024 ** 3;

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
		const { type, head, length } = this.expected;
		const bytes = this.source.readableEnded ? [head] : this.source;
		const tail: Uint8Array[] = [];
		let tailBytes = 0;
		let size = 0;
		// A consumer may throw at `yield`; that is not a failure of the image.
		let isYielding = false;
		try {
			for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
				size += chunk.length;
				if (size > MAX_IMAGE_BYTES) throw new Failed({ kind: 'download', reason: 'too large' });
				tail.push(chunk);
				tailBytes += chunk.length;
				for (let first; (first = tail[0]) && tailBytes - first.length >= TAIL_BYTES; ) {
					tailBytes -= first.length;
					tail.shift();
				}
				isYielding = true;
				yield chunk;
				isYielding = false;
			}
			// A different length may count the bytes before inflation, so it proves nothing.
			const isWhole = size === length || hasEnd(type, size, head, Buffer.concat(tail));
			if (!isWhole) throw new Failed({ kind: 'download', reason: 'incomplete' });
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			if (!isYielding) this.failure = failure;
			throw failure;
		}
	}
}

/** The static part that all Node streams inherit. */
interface StreamClass {
	from: (source: AsyncIterable<Uint8Array>, options: { objectMode: false }) => Readable;
}

/** Bytes that {@link hasEnd} searches: other data may follow the end of the image. */
export const TAIL_BYTES = 64 * 1024;

/**
 * Whether an image is complete, for formats that mark their end. If in doubt, it is: a complete image
 * must never be rejected.
 * @param size Bytes.
 * @param head At least its first 12 bytes, if there are as many.
 * @param tail At least its last {@link TAIL_BYTES}, or all of it.
 */
export function hasEnd(type: string, size: number, head: Uint8Array, tail: Uint8Array): boolean {
	const end = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength);
	switch (type) {
		case 'image/png':
			return end.includes('IEND');
		case 'image/jpeg':
			return end.includes(Buffer.from([0xff, 0xd9]));
		case 'image/gif':
			// The end of the last block and the trailer; only near the end, because these bytes are common.
			return end.subarray(-1024).includes(Buffer.from([0x00, 0x3b]));
		case 'image/webp':
			return size >= riffSize(head);
		default:
			return true;
	}
}

/** The size in a RIFF header; encoders that don't know it write 0 or the maximum. */
function riffSize(head: Uint8Array): number {
	const { buffer, byteOffset, byteLength } = head;
	if (byteLength < 8) return 8;
	const size = new DataView(buffer, byteOffset).getUint32(4, true);
	return size === 0xffffffff ? 0 : size + 8;
}
