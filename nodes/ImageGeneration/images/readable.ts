import type { IExecuteFunctions } from 'n8n-workflow';

/** A stream from n8n's HTTP client or storage. */
export type Readable = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

const DECODER = new TextDecoder();

/** The most that is read of a text, in bytes after inflation. */
const MAX_BYTES = 1024 ** 2;

/** The text read from a stream. */
export interface ReadText {
	text: string;
	/** Why the text may be incomplete. */
	incomplete?: 'too long' | 'interrupted';
	/** The error that interrupted the stream. */
	error?: unknown;
}

/**
 * Reads the first bytes of a stream.
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
		head = Buffer.concat([head, next.value]);
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
