import { PassThrough, type Readable } from 'node:stream';

import type { IExecuteFunctions } from 'n8n-workflow';

import { download } from '../../nodes/ImageGeneration/service/download';
import { toService } from '../../nodes/ImageGeneration/service/service';
import { rowWith } from '../support/jobs';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.png' };
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100_000)]);
const service = toService({ baseUrl: 'https://example.com', apiKey: 'a-key' });

/** Mocks n8n, because a test cannot fill a disk or cut a connection at the right moment. */
async function failureOf(store: (image: Readable, body: PassThrough) => Promise<never>) {
	const body = new PassThrough();
	for (const chunk of [PNG, PNG, PNG]) body.write(chunk);
	const context = {
		getExecutionCancelSignal: () => undefined,
		helpers: {
			httpRequest: async () => ({ statusCode: 200, headers: {}, body }),
			prepareBinaryData: async (image: Readable) => await store(image, body),
		},
	} as unknown as IExecuteFunctions;
	const { signal } = new AbortController();
	const asked = { ...rowWith(), timeout: 600 };
	return await download(context, service, JOB, asked, signal).catch((error: unknown) => error);
}

describe('a download that n8n could not store', () => {
	it('is not retried if the disk is full, even though the stream ends as well', async () => {
		const failure = await failureOf(async (image) => {
			await image[Symbol.asyncIterator]().next();
			image.destroy(new Error('aborted'));
			await new Promise(setImmediate);
			throw new Error('ENOSPC: no space left on device, write');
		});

		expect(failure).toMatchObject({
			failure: { reason: 'not stored', message: 'ENOSPC: no space left on device, write' },
		});
	});

	it('is retried if the connection broke, even if n8n says so only in the cause', async () => {
		const failure = await failureOf(async (image, body) => {
			body.destroy(new Error('socket hang up'));
			const cause: unknown = await image.toArray().catch((error: unknown) => error);
			throw new Error('Not read', { cause });
		});

		expect(failure).toMatchObject({ failure: { kind: 'download', reason: 'interrupted' } });
	});
});
