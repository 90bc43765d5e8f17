import { Failed } from '../failures/failures';
import type { Readable } from './readable';

/** What is known about an image before it is read. */
export interface ExpectedImage {
	type: string;
	/** Its first bytes, at least 12 if there are as many. */
	head: Buffer;
	/** The Content-Length; an image of exactly this many bytes is complete. */
	length: number;
}

/** The largest image, in bytes after inflation. */
export const MAX_IMAGE_BYTES = 1024 ** 3;

/** Bytes at the end in which {@link hasEnd} searches: other data may follow the end of the image. */
export const TAIL_BYTES = 16 * 1024;

/** An image that is checked while it is read. */
export class CheckedImage {
	/** Why reading ended early: the image is too large or incomplete, or the source failed. */
	failure: Error | undefined;

	constructor(
		private readonly bytes: AsyncIterable<Buffer>,
		private readonly expected: ExpectedImage,
	) {}

	/** Returns a stream of the same class, because n8n forbids to import `node:stream`. */
	toStream({ constructor }: Readable): Readable {
		return (constructor as unknown as StreamClass).from(this.#read(), { objectMode: false });
	}

	async *#read(): AsyncGenerator<Buffer> {
		const { type, head, length } = this.expected;
		let tail = Buffer.alloc(0);
		let size = 0;
		// A consumer may throw at `yield`; that is not a failure of the image.
		let isYielding = false;
		try {
			for await (const chunk of this.bytes) {
				size += chunk.length;
				if (size > MAX_IMAGE_BYTES) throw new Failed({ kind: 'download', reason: 'too large' });
				const isShort = chunk.length < TAIL_BYTES;
				tail = (isShort ? Buffer.concat([tail, chunk]) : chunk).subarray(-TAIL_BYTES);
				isYielding = true;
				yield chunk;
				isYielding = false;
			}
			// A different length may count the bytes before inflation, so it proves nothing.
			const isWhole = size === length || hasEnd(type, size, head, tail);
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
	from: (source: AsyncIterable<Buffer>, options: { objectMode: false }) => Readable;
}

/**
 * Whether an image is complete, for formats that mark their end. If in doubt, it is: a complete image
 * must never be rejected.
 * @param tail Its last {@link TAIL_BYTES}, or all of it.
 */
export function hasEnd(type: string, size: number, head: Buffer, tail: Buffer): boolean {
	switch (type) {
		case 'image/png':
			return tail.includes('IEND');
		case 'image/jpeg':
			return tail.includes(Buffer.from([0xff, 0xd9]));
		case 'image/gif':
			// The end of the last block and the trailer; only near the end, because these bytes are common.
			return tail.subarray(-1024).includes(Buffer.from([0x00, 0x3b]));
		case 'image/webp':
			return head.length >= 8 && size >= head.readUInt32LE(4) + 8;
		default:
			return true;
	}
}
