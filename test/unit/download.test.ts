import { Readable } from 'node:stream';

import type { IExecuteFunctions } from 'n8n-workflow';

import { download } from '../../nodes/ImageGeneration/service/download';
import { toService } from '../../nodes/ImageGeneration/service/service';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.png' };
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100_000)]);
const service = toService({ baseUrl: 'https://example.com', apiKey: 'a-key' });
const rules = { allowOtherHosts: false, timeout: 60, fileName: 'a' };

/** Mocks n8n, because a test cannot fill a disk or cut a connection at the right moment. */
async function failureOf(body: Readable, store: (body: Readable) => Promise<never>) {
	const context = {
		getExecutionCancelSignal: () => undefined,
		helpers: {
			httpRequest: async () => await Promise.resolve({ statusCode: 200, headers: {}, body }),
			prepareBinaryData: store,
		},
	} as unknown as IExecuteFunctions;
	return await download(context, service, JOB, rules).catch((error: unknown) => error);
}

describe('a download that n8n could not store', () => {
	it('is not retried if the disk is full, even though the stream ends as well', async () => {
		const body = Readable.from([PNG, PNG, PNG], { objectMode: false });
		const failure = await failureOf(body, async (stream) => {
			for await (const chunk of stream) {
				expect(chunk).toBeDefined();
				stream.destroy(new Error('aborted'));
				await new Promise(setImmediate);
				throw new Error('ENOSPC: no space left on device, write');
			}
			throw new Error('Nothing came');
		});

		expect(failure).toMatchObject({
			failure: { reason: 'not stored', message: 'ENOSPC: no space left on device, write' },
		});
	});

	it('is retried if the connection broke, even if n8n says so only in the cause', async () => {
		const body = Readable.from(
			(async function* () {
				yield await Promise.resolve(PNG);
				throw new Error('socket hang up');
			})(),
			{ objectMode: false },
		);
		const failure = await failureOf(body, async (stream) => {
			const cause: unknown = await stream.toArray().catch((error: unknown) => error);
			throw new Error('Not read', { cause });
		});

		expect(failure).toMatchObject({ failure: { kind: 'download', reason: 'interrupted' } });
	});
});
