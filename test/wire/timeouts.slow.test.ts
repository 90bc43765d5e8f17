import type { ServerResponse } from 'node:http';

import { collectGarbage } from '../support/collectGarbage';
import { storedFiles } from '../support/engine';
import { largePng } from '../support/images';
import { respondJson, sendForever, useRawService } from '../support/rawService';
import { testCredential } from '../support/testCredential';
import { until } from '../support/until';

const service = useRawService();

const LATE = "in the time set by 'Timeout'";
/** Begins a response with this text, and adds spaces until the connection closes. */
function neverEnd(response: ServerResponse, text = ''): void {
	response.writeHead(200).write(text);
	const interval = setInterval(() => response.write(' '), 50);
	response.on('close', () => clearInterval(interval));
}
/** Responses that do not end, by what the service does. */
const ENDLESS: Record<string, (response: ServerResponse) => void> = {
	'switches protocols': (response) => {
		response.socket?.write(
			'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
		);
	},
	'never ends its response': (response) => neverEnd(response),
};
const MIB = 1024 ** 2;
const LIMIT = 1024 * MIB;

const noneIsOpen = () => service.sockets.size === 0;

describe('a paid request', () => {
	it.each(Object.entries(ENDLESS))('times out if the service %s', async (_what, respond) => {
		service.onCall = (_request, response) => respond(response);
		const { error } = await service.run({ timeout: 1 });

		expect(error?.message).toContain(LATE);
		expect(error?.description).toContain('may have been charged');
		await until(noneIsOpen);
	});

	it('uses a job result at the beginning of a response that never ends', async () => {
		service.onCall = (_request, response) => neverEnd(response, JSON.stringify(service.job));
		const { rows } = await service.run({ timeout: 1 }, { parameters: { download: false } });

		expect(rows.map(({ json }) => json)).toStrictEqual([
			{ ...service.job, fileName: expect.any(String) as string },
		]);
	});

	it.each([
		['in n8n’s storage', true],
		['in the item itself', false],
	])(
		'does not time out while its upload is slow but steady: a file %s',
		async (_where, isStored) => {
			// Three pauses, each shorter than the timeout of five seconds but longer together. The data
			// between them exceeds the system's buffers.
			const pauses = [12, 24, 36].map((mebibytes) => mebibytes * MIB);
			service.onCall = (request, response) => {
				let seen = 0;
				request.on('data', (chunk: Buffer) => {
					seen += chunk.length;
					if (seen < (pauses[0] ?? Infinity)) return;
					pauses.shift();
					request.pause();
					setTimeout(() => request.resume(), 2000);
				});
				request.on('end', () => respondJson(response, { ...service.job, seen }));
			};
			const bytes = largePng(40);
			const inItem = {
				data: bytes.toString('base64'),
				mimeType: 'image/png',
				fileName: 'large.png',
			};
			const data = isStored ? await service.engine.store(bytes, 'large.png', 'image/png') : inItem;
			const { rows, error } = await service.run(
				{ timeout: 5 },
				{
					parameters: { operation: 'removeBackground', download: false },
					items: [{ json: {}, binary: { data } }],
				},
			);

			expect(error).toBeUndefined();
			expect(rows[0]?.json.seen).toBeGreaterThan(bytes.length);
		},
	);
});

describe('a download', () => {
	it('that is rejected waits at most five seconds for a stalled error message', async () => {
		service.onDownload = (_request, response) => {
			response.writeHead(404, { 'content-type': 'application/json' }).write('{"err":"Gone');
		};
		const { error } = await service.run({ timeout: 600 });

		expect(error?.message).toContain('(status 404)');
		await until(noneIsOpen);
	});

	it('leaves no connection open after a redirect whose body never ends', async () => {
		service.onDownload = (_request, response) => {
			response.writeHead(302, { location: '/image' }).write('Go on');
		};
		const { error } = await service.run({ timeout: 60 });

		expect(error?.message).toContain('its link redirects too many times');
		await until(noneIsOpen);
	});

	it('times out if it stalls, even after a garbage collection', async () => {
		service.onDownload = (_request, response) => {
			response.writeHead(200, { 'content-type': 'image/png' }).write('\x89PNG\r\n', 'latin1');
		};
		const running = service.run({ timeout: 1 });
		await until(() => service.requests.length === 2);
		// Almost until the timeout: collecting garbage blocks a large process.
		const nearlyUp = Date.now() + 900;
		await until(() => {
			collectGarbage();
			return Date.now() > nearlyUp;
		});

		expect((await running).error?.message).toContain(LATE);
	});

	it('without a length and without an end is given up at 1 GiB, with its link, a closed connection and no file left', async () => {
		const stored = storedFiles();
		let sent = () => 0;
		service.onDownload = (_request, response) => {
			response.writeHead(200).write('\x89PNG\r\n\x1a\n', 'latin1');
			sent = sendForever(response, Buffer.alloc(MIB));
		};
		const { error } = await service.run();

		expect(error?.message).toBe('The image could not be downloaded: it is larger than 1 GiB.');
		expect(error?.description).toContain(service.job.output_url);
		expect(service.requests.map(({ method }) => method)).toStrictEqual(['POST', 'GET']);
		await until(() => service.sockets.size === 0);
		expect(sent()).toBeGreaterThan(LIMIT);
		// What the sockets of both ends hold is sent, but never read.
		expect(sent()).toBeLessThan(LIMIT + 64 * MIB);
		expect(storedFiles()).toStrictEqual(stored);
		// A busy machine needs more than a minute for so much.
	}, 300_000);
});

describe('the credential test', () => {
	it.each(Object.entries(ENDLESS))('times out if the service %s', async (_what, respond) => {
		service.onCall = (_request, response) => respond(response);
		const limit = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
		const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
		const result = testCredential(service.credential);
		await until(() => service.requests.length === 1);
		clock.mockReturnValue(30_000);
		limit.abort();
		timeout.mockRestore();
		clock.mockRestore();

		expect(await result).toMatchObject({ status: 'Error' });
	});
});
