import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { peek, readText } from '../../nodes/ImageGeneration/images/readable';

/** A stream of these chunks, which then fails if there is a reason. */
function streamOf(chunks: string[], reason?: Error): Readable {
	return Readable.from(
		(async function* () {
			for (const chunk of chunks) yield Buffer.from(chunk);
			if (reason !== undefined) throw reason;
		})(),
		{ objectMode: false },
	);
}

describe('the first bytes of a stream', () => {
	it.each([[[]], [['a']]])('are not returned if the stream breaks off after %j', async (chunks) => {
		await expect(peek(streamOf(chunks, new Error('Cut')), 4)).rejects.toThrow('Cut');
	});

	it('do not wait for more than is needed, and what breaks off later is reported', async () => {
		const stream = new PassThrough();
		stream.write('abcd');
		const { head, all } = await peek(stream, 4);
		expect(head.toString()).toBe('abcd');

		stream.destroy(new Error('Cut'));
		await expect(text(Readable.from(all))).rejects.toThrow('Cut');
	});

	it('leave a stream that is closed when the rest is not wanted', async () => {
		const stream = streamOf(['abcd', 'ef']);
		const { all } = await peek(stream, 4);
		for await (const chunk of all) if (chunk.toString() === 'ef') break;

		expect(stream.destroyed).toBe(true);
	});
});

describe('the text of a stream', () => {
	it('is kept up to where the stream breaks off', async () => {
		const error = new Error('Cut');

		expect(await readText(streamOf(['No '], error))).toStrictEqual({
			text: 'No ',
			incomplete: 'interrupted',
			error,
		});
	});
});
