import { createGzip, gzipSync } from 'node:zlib';

import { sendForever, useRawService } from '../support/rawService';
import { until } from '../support/until';

const service = useRawService();
const MIB = 1024 ** 2;

describe('a response to a paid request', () => {
	it('is read up to 1 MiB after decompression, then its connection is closed', async () => {
		service.onCall = (_request, response) => {
			response.writeHead(200, { 'content-encoding': 'gzip' });
			const gzip = createGzip();
			gzip.pipe(response).on('close', () => gzip.destroy());
			sendForever(gzip, Buffer.alloc(MIB, ' '));
		};
		const { error } = await service.run();

		expect(error?.message).toBe('The service returned more than 1 MiB instead of a job result');
		expect(error?.description).toContain('may have been charged');
		await until(() => service.sockets.size === 0);
	});

	it('with a status of 503 that never ends is given up after Timeout, and its connection is closed', async () => {
		service.onCall = (_request, response) => response.writeHead(503).write('<html>');
		const { error } = await service.run({ timeout: 1 });

		expect(error?.message).toContain('An incomplete response with status 503');
		expect(error?.description).toContain('may have been charged');
		await until(() => service.sockets.size === 0);
	});

	it('that is too long still gives the job result at its beginning', async () => {
		service.onCall = (_request, response) => {
			const body = JSON.stringify({ ...service.job, more: 'x'.repeat(2 * MIB) });
			response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
		};
		const { rows, error } = await service.run({}, { parameters: { download: false } });

		expect(error).toBeUndefined();
		expect(rows.map(({ json }) => json)).toStrictEqual([
			{ ...service.job, fileName: expect.any(String) as string },
		]);
	});
});

describe('an image', () => {
	it('of more than 1 GiB is not downloaded, and its link is reported', async () => {
		service.onDownload = (_request, response) => {
			response.writeHead(200, { 'content-length': 1024 * MIB + 1 }).write('\x89PNG\r\n\x1a\n');
		};
		const { error } = await service.run();

		expect(error?.message).toBe('The image could not be downloaded: it is larger than 1 GiB.');
		expect(error?.description).toContain(service.job.output_url);
		expect(service.requests).toHaveLength(2);
		await until(() => service.sockets.size === 0);
	});
});
