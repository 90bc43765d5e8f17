import type { IExecuteFunctions } from 'n8n-workflow';

/** A stream from n8n's HTTP client or storage. */
export type Readable = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

const DECODER = new TextDecoder();

/** The text read from a stream. */
export interface ReadText {
	text: string;
	/** Why the text may be incomplete. */
	incomplete?: 'too long' | 'interrupted';
	/** The error that interrupted the stream. */
	error?: unknown;
}

/**
 * Reads the first bytes of a stream and puts them back. If the stream has already ended, returns all
 * of its bytes, which can't be put back.
 * @throws what breaks off the stream.
 */
export async function peek(stream: Readable, count: number): Promise<Buffer> {
	let head = Buffer.alloc(0);
	for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
		head = Buffer.concat([head, chunk as Buffer]);
		if (head.length >= count) break;
	}
	if (stream.readableEnded) return head;
	stream.unshift(head);
	return head.subarray(0, count);
}

/** Reads a stream as text, up to `maxBytes`. Never rejects. */
export async function readText(stream: Readable, maxBytes: number): Promise<ReadText> {
	const chunks: Buffer[] = [];
	let length = 0;
	const text = () => DECODER.decode(Buffer.concat(chunks).subarray(0, maxBytes));
	try {
		for await (const chunk of stream) {
			chunks.push(chunk as Buffer);
			length += (chunk as Buffer).length;
			if (length > maxBytes) return { text: text(), incomplete: 'too long' };
		}
		return { text: text() };
	} catch (error) {
		return { text: text(), incomplete: 'interrupted', error };
	}
}
