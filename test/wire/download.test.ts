import { PassThrough, type Readable } from 'node:stream';

import type { IExecuteFunctions } from 'n8n-workflow';

import { download } from '../../nodes/ImageGeneration/service/download';
import { toService } from '../../nodes/ImageGeneration/service/service';
import { rowWith } from '../support/jobs';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.png' };
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100_000)]);
const service = toService({ baseUrl: 'https://example.com', apiKey: 'a-key' });

it('a download that fills the disk is not retried, although its stream ends as well', async () => {
	// Mocks n8n, because a test cannot fill a disk.
	const body = new PassThrough();
	for (const chunk of [PNG, PNG, PNG]) body.write(chunk);
	const context = {
		getExecutionCancelSignal: () => undefined,
		helpers: {
			httpRequest: async () => ({ statusCode: 200, headers: {}, body }),
			prepareBinaryData: async (image: Readable) => {
				await image[Symbol.asyncIterator]().next();
				image.destroy(new Error('aborted'));
				await new Promise(setImmediate);
				throw new Error('ENOSPC: no space left on device, write');
			},
		},
	} as unknown as IExecuteFunctions;
	const { signal } = new AbortController();

	await expect(
		download(context, service, JOB, { ...rowWith(), timeout: 600 }, signal),
	).rejects.toMatchObject({
		failure: { reason: 'not stored', message: 'ENOSPC: no space left on device, write' },
	});
});
