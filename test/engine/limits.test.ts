import { createGzip, gzipSync } from 'node:zlib';

import sharp from 'sharp';

import { useRawService } from '../support/rawService';
import { hintsOf } from '../support/runs';
import { until } from '../support/until';

const service = useRawService();
const MIB = 1024 ** 2;

describe('a response to a paid request', () => {
	it('is read up to 1 MiB after decompression, then its connection is closed', async () => {
		service.onCall = (_request, response) => {
			response.writeHead(200, { 'content-encoding': 'gzip' });
			const gzip = createGzip();
			gzip.pipe(response);
			// Sends forever, unless the client disconnects.
			const spaces = Buffer.alloc(MIB, ' ');
			const send = () => {
				while (gzip.write(spaces));
			};
			gzip.on('drain', send);
			send();
			response.on('close', () => gzip.destroy());
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

	describe('whose end is missing', () => {
		const photo = sharp('examples/photos/astronaut.jpg').resize(200);
		/** Answers each download with the next of these, complete by its Content-Length, and then the last. */
		const respondWith = (...bodies: Buffer[]) => {
			service.onDownload = (_request, response) => {
				const body = bodies[Math.min(service.requests.length - 2, bodies.length - 1)];
				response.writeHead(200, { 'content-length': body?.length }).end(body);
			};
		};
		const half = (whole: Buffer) => whole.subarray(0, whole.length / 2);
		const HINT =
			'1 image may be incomplete, because the end of the file is missing: Item 1, &quot;A fox&quot;. Look at it before you use it.';

		it('is downloaded again if its length was not declared', async () => {
			const whole = await photo.toBuffer();
			service.onDownload = (_request, { socket }) => {
				const isFirst = service.requests.length === 2;
				socket?.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
				socket?.end(isFirst ? half(whole) : whole);
			};
			const { rows, error } = await service.run();

			expect(error).toBeUndefined();
			expect(service.requests).toHaveLength(3);
			expect(await service.engine.bytesOf(rows[0]?.binary?.data)).toStrictEqual(whole);
		});

		it('is downloaded again even if its length counts only what came, and delivered whole', async () => {
			const whole = await photo.toBuffer();
			respondWith(half(whole), whole);
			const result = await service.run();

			expect(service.requests).toHaveLength(3);
			const image = result.rows[0]?.binary?.data;
			expect(await service.engine.bytesOf(image)).toStrictEqual(whole);
			expect(hintsOf(result)?.join()).not.toContain('incomplete');
		});

		it('is delivered with a hint if the same bytes come again, because it is paid for', async () => {
			const part = half(await photo.toBuffer());
			respondWith(part);
			const result = await service.run();

			expect(result.error).toBeUndefined();
			expect(service.requests.map(({ method }) => method)).toStrictEqual(['POST', 'GET', 'GET']);
			const image = result.rows[0]?.binary?.data;
			expect(await service.engine.bytesOf(image)).toStrictEqual(part);
			expect(image?.mimeType).toBe('image/jpeg');
			expect(hintsOf(result)).toContain(HINT);
		});

		it('is delivered with a hint even if its response is compressed', async () => {
			const packed = gzipSync(await photo.toBuffer(), { level: 0 });
			const headers = { 'content-encoding': 'gzip', 'content-length': half(packed).length };
			service.onDownload = (_request, response) =>
				response.writeHead(200, headers).end(half(packed));
			const result = await service.run();

			expect(hintsOf(result)).toContain(HINT);
		});

		it('is reported with its link if other bytes come each time', async () => {
			const whole = await photo.toBuffer();
			respondWith(...[10, 20, 30, 40].map((bytes) => whole.subarray(0, bytes * 100)));
			const { error } = await service.run();

			expect(error?.message).toBe('The image could not be downloaded: it arrived incomplete.');
			expect(error?.description).toContain(service.job.output_url);
		});

		it('is not missing if more than 64 KiB follow it, without a length', async () => {
			const whole = Buffer.concat([await photo.toBuffer(), Buffer.alloc(200_000, 'film')]);
			service.onDownload = (_request, response) => {
				response.writeHead(200, { 'content-type': 'image/png' }).write(whole);
				response.end();
			};
			const result = await service.run();

			expect(service.requests).toHaveLength(2);
			expect(result.rows[0]?.binary?.data).toMatchObject({ mimeType: 'image/jpeg' });
			expect(hintsOf(result)?.join()).not.toContain('incomplete');
		});
	});
});
