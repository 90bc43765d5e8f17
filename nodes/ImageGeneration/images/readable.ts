import type { IExecuteFunctions } from 'n8n-workflow';

/** A stream as n8n's HTTP client and storage hand it out. */
export type Readable = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

const LONGEST_TEXT = 64 * 1024;
const LONGEST_WAIT = 5000;

/**
 * The first bytes of a stream, which still yields them afterwards; or all that it had, where that
 * came at once and the stream has ended.
 */
export async function peek(stream: Readable, count: number): Promise<Buffer> {
	let head = Buffer.alloc(0);
	while (head.length < count) {
		const chunk = (stream.read() ?? (await nextChunk(stream))) as Buffer | undefined;
		if (chunk === undefined) break;
		head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
	}
	// A stream that has ended takes nothing back, so this is all there was.
	if (stream.readableEnded) return head;
	stream.unshift(head);
	return head.subarray(0, count);
}

/** A stream's text to its end; empty where that is longer than a message, late, or never comes. */
export async function shortText(stream: Readable): Promise<string> {
	const late = AbortSignal.timeout(LONGEST_WAIT);
	late.addEventListener('abort', () => stream.destroy());
	let text = Buffer.alloc(0);
	try {
		for await (const chunk of stream) {
			text = Buffer.concat([text, chunk as Buffer]);
			if (text.length > LONGEST_TEXT) return '';
		}
		return text.toString('utf8');
	} catch {
		return '';
	}
}

async function nextChunk(stream: Readable): Promise<Buffer | undefined> {
	if (stream.errored) throw stream.errored;
	if (stream.destroyed || stream.readableEnded) return undefined;
	return await new Promise((resolve, reject) => {
		const done = (settle: () => void) => () => {
			stream.off('readable', readable).off('end', ended).off('error', failed).off('close', ended);
			settle();
		};
		const readable = done(() => resolve((stream.read() as Buffer | null) ?? undefined));
		const ended = done(() => resolve(undefined));
		const failed = (error: Error) => done(() => reject(error))();
		stream.on('readable', readable).on('end', ended).on('error', failed).on('close', ended);
	});
}
