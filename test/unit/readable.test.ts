import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { peek, readText } from '../../nodes/ImageGeneration/images/readable';

/** A stream of these chunks, which then fails if there is a reason. */
function streamOf(chunks: string[], reason?: Error): Readable {
	return Readable.from(
		(async function* () {
			for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
			if (reason !== undefined) throw reason;
		})(),
		{ objectMode: false },
	);
}

/** A short stream that stays open after its end. */
const shortAndOpen = () => {
	const stream = new Readable({ autoDestroy: false, read() {} });
	stream.push('ab');
	stream.push(null);
	return stream;
};
const listenersOf = (stream: Readable) =>
	['readable', 'end', 'error', 'close'].map((event) => stream.listenerCount(event));

describe('the first bytes of a stream', () => {
	it.each([
		['all at once', ['abcdef']],
		['byte by byte', ['a', 'b', 'c', 'd', 'e', 'f']],
		['to the very end', ['abc', 'def']],
	])('are read and put back when they arrive %s', async (_how, chunks) => {
		const stream = streamOf(chunks);
		const head = await peek(stream, 4);

		expect('abcdef'.startsWith(head.toString())).toBe(true);
		expect(head.length).toBeGreaterThanOrEqual(4);
		expect(await text(stream)).toBe('abcdef');
	});

	it('are all of a short stream', async () => {
		expect((await peek(streamOf(['a', 'b']), 4)).toString()).toBe('ab');
	});

	it.each([[[]], [['a']]])('are not returned if the stream breaks off after %j', async (chunks) => {
		await expect(peek(streamOf(chunks, new Error('Cut')), 4)).rejects.toThrow('Cut');
	});
});

describe('peek', () => {
	it('waits for no more than it needs', async () => {
		const stream = new PassThrough();
		stream.write('abcd');

		expect((await peek(stream, 4)).toString()).toBe('abcd');
	});

	it('returns everything if it arrives at once and the stream ends', async () => {
		const stream = new PassThrough();
		setImmediate(() => stream.end('abcdefgh'));
		const head = await peek(stream, 4);

		expect(stream.readableEnded ? head.toString() : await text(stream)).toBe('abcdefgh');
	});

	it('leaves no listener behind', async () => {
		const stream = new PassThrough();
		const before = listenersOf(stream);
		const head = peek(stream, 4);
		stream.write('ab');
		setImmediate(() => stream.write('cd'));

		expect((await head).toString()).toBe('abcd');
		expect(listenersOf(stream)).toEqual(before);
	});

	it('returns nothing for a stream that has been read', async () => {
		const failed = jest.fn();
		const read = shortAndOpen().on('error', failed);
		expect(await peek(read, 4)).toHaveLength(2);
		expect(await peek(read, 4)).toHaveLength(0);
		await new Promise(setImmediate);
		expect(failed).not.toHaveBeenCalled();
	});

	it('reports why a stream broke off, even before the call', async () => {
		const stream = new PassThrough().on('error', () => {});
		const closed = new Promise((resolve) => stream.on('close', resolve));
		stream.destroy(new Error('Cut'));
		await closed;

		await expect(peek(stream, 4)).rejects.toThrow('Cut');
	});

	it('fails if the stream is destroyed, before the call or while it waits', async () => {
		const stream = new PassThrough();
		const head = peek(stream, 4);
		stream.destroy();

		await expect(head).rejects.toThrow('Premature close');
		await expect(peek(stream, 4)).rejects.toThrow('Premature close');
	});
});

describe('the text of a stream', () => {
	it('is read to its end', async () => {
		expect(await readText(streamOf(['No ', 'foxes']), 100)).toEqual({ text: 'No foxes' });
	});

	it('is read up to its limit, and the stream is destroyed', async () => {
		const stream = streamOf(['abc', 'def', 'ghi']);

		expect(await readText(stream, 5)).toEqual({ text: 'abcde', incomplete: 'too long' });
		expect(stream.destroyed).toBe(true);
		expect(await readText(streamOf(['abc', 'de']), 5)).toEqual({ text: 'abcde' });
	});

	it('is kept up to where the stream breaks off', async () => {
		const error = new Error('Cut');

		expect(await readText(streamOf(['No '], error), 100)).toEqual({
			text: 'No ',
			incomplete: 'interrupted',
			error,
		});
	});
});
