import { createGzip, gzipSync } from 'node:zlib';

import sharp from 'sharp';

import { useRawService } from '../support/rawService';
import { until } from '../support/until';

const service = useRawService();
const MIB = 1024 ** 2;
const withoutFile = { parameters: { download: false } };

/** Peak of buffer memory that a task adds, in bytes. */
async function mostBuffersOf(task: () => Promise<unknown>): Promise<number> {
	const { arrayBuffers } = process.memoryUsage();
	let most = arrayBuffers;
	const look = () => {
		most = Math.max(most, process.memoryUsage().arrayBuffers);
	};
	const interval = setInterval(look, 1);
	await task();
	look();
	clearInterval(interval);
	return most - arrayBuffers;
}

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

	it('of 400 kB that decompresses to 400 MB uses a fraction of that memory', async () => {
		const bomb = gzipSync(Buffer.alloc(400 * MIB, ' '));
		service.onCall = (_request, response) => {
			response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
		};

		expect(await mostBuffersOf(async () => await service.run())).toBeLessThan(100 * MIB);
	});

	it('that is too long still gives the job result at its beginning', async () => {
		service.onCall = (_request, response) => {
			const body = JSON.stringify({ ...service.job, more: 'x'.repeat(2 * MIB) });
			response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
		};
		const { rows, error } = await service.run({}, withoutFile);

		expect(error).toBeUndefined();
		expect(rows.map(({ json }) => json)).toEqual([
			{ ...service.job, fileName: expect.any(String) as string },
		]);
	});
});

describe('an image', () => {
	it('of more than 1 GiB is not downloaded, and its link is reported', async () => {
		service.onDownload = (_request, response) => {
			response.writeHead(200, { 'content-length': 1024 * MIB + 1 }).write('\x89PNG\r\n\x1a\n');
		};
		const { error } = await service.run({ maxRetries: 3 });

		expect(error?.message).toBe('The image could not be downloaded: it is larger than 1 GiB.');
		expect(error?.description).toContain(service.job.output_url);
		expect(service.requests).toHaveLength(2);
		await until(() => service.sockets.size === 0);
	});

	const photo = async (format: 'png' | 'jpeg') =>
		await sharp('examples/photos/astronaut.jpg').resize(200).toFormat(format).toBuffer();

	it.each(['png', 'jpeg'] as const)(
		'that is truncated without a declared length is downloaded again: %s',
		async (format) => {
			const whole = await photo(format);
			service.onDownload = (_request, response) => {
				const isFirst = service.requests.length === 2;
				response.socket?.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
				response.socket?.end(isFirst ? whole.subarray(0, whole.length / 2) : whole);
			};
			const { rows, error } = await service.run({ maxRetries: 1 });

			expect(error).toBeUndefined();
			expect(service.requests).toHaveLength(3);
			expect(await service.engine.bytesOf(rows[0]?.binary?.data)).toEqual(whole);
		},
	);

	it.each(['png', 'jpeg'] as const)(
		'whose compressed response is truncated is reported with its link: %s',
		async (format) => {
			const packed = gzipSync(await photo(format), { level: 0 });
			const half = packed.subarray(0, packed.length / 2);
			service.onDownload = (_request, response) => {
				response
					.writeHead(200, { 'content-encoding': 'gzip', 'content-length': half.length })
					.end(half);
			};
			const { error } = await service.run();

			expect(error?.message).toBe('The image could not be downloaded: it arrived incomplete.');
			expect(error?.description).toContain(service.job.output_url);
		},
	);
});
