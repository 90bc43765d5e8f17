import type { IExecuteFunctions } from 'n8n-workflow';

/** A stream from n8n's HTTP client or storage. */
export type Readable = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

const DECODER = new TextDecoder();

/** The most that is read of a text, in bytes after inflation. */
const MAX_BYTES = 1024 ** 2;

/** A body, as far as it was read. */
export interface ReadText {
	text: string;
	/** Why the text may be incomplete. */
	incomplete?: 'too long' | 'interrupted';
	/** The error that interrupted the stream. */
	error?: unknown;
}

/**
 * Reads the first bytes of a stream, at least `count` if there are as many, and closes it. Without an
 * iterator as in {@link peek}: one that ends early creates an error, for each of thousands of files
 * (Node 24.21).
 * @throws what breaks off the stream.
 */
export async function firstBytes(stream: Readable, count: number): Promise<Buffer> {
	let head = Buffer.alloc(0);
	return await new Promise((resolve, reject) => {
		stream.on('data', (chunk: Buffer) => {
			head = Buffer.concat([head, chunk]);
			if (head.length < count) return;
			// First, because a stream from the network may report an error when it is closed.
			resolve(head);
			stream.destroy();
		});
		stream.on('error', reject).on('close', () => resolve(head));
	});
}

/**
 * Reads the first bytes of a stream that is read on.
 * @returns `head`, at least `count` bytes if there are as many, and `all` bytes, to be read once.
 * @throws what breaks off the stream.
 */
export async function peek(
	stream: Readable,
	count: number,
): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
	const rest = stream[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
	let head = Buffer.alloc(0);
	while (head.length < count) {
		const next = await rest.next();
		if (next.done === true) break;
		head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
	}
	async function* all() {
		yield head;
		yield* rest;
	}
	return { head, all: all() };
}

/** Reads a stream as text, up to 1 MiB. Never rejects. */
export async function readText(stream: AsyncIterable<unknown>): Promise<ReadText> {
	const chunks: Buffer[] = [];
	let length = 0;
	const text = () => DECODER.decode(Buffer.concat(chunks).subarray(0, MAX_BYTES));
	try {
		for await (const chunk of stream) {
			chunks.push(chunk as Buffer);
			length += (chunk as Buffer).length;
			if (length > MAX_BYTES) return { text: text(), incomplete: 'too long' };
		}
		return { text: text() };
	} catch (error) {
		return { text: text(), incomplete: 'interrupted', error };
	}
}

/** Makes a stream of the same class as another, because n8n forbids to import `node:stream`. */
export function streamLike({ constructor }: Readable, bytes: AsyncIterable<Buffer>): Readable {
	// All Node streams inherit this static method.
	const { from } = constructor as unknown as { from: (bytes: unknown, how: object) => Readable };
	return from.call(constructor, bytes, { objectMode: false });
}
