import type { ServerResponse } from 'node:http';

import { storedFiles } from '../support/engine';
import { useRawService } from '../support/rawService';
import { until } from '../support/until';

const MIB = 1024 ** 2;
const LIMIT = 1024 * MIB;

/** Sends the start of a PNG, then zeros until the client goes away. Returns the bytes sent so far. */
function sendEndlessPng(response: ServerResponse): () => number {
	const zeros = Buffer.alloc(MIB);
	let sent = 0;
	const send = () => {
		do sent += MIB;
		while (!response.destroyed && response.write(zeros));
	};
	response.writeHead(200, { 'content-type': 'image/png' }).write('\x89PNG\r\n\x1a\n', 'latin1');
	response.on('drain', send);
	send();
	return () => sent;
}

describe.each(['filesystem', 'default'] as const)(
	'an image without a length and without an end, with binary data mode "%s"',
	(mode) => {
		const service = useRawService(mode);

		it('is given up at 1 GiB, with its link, a closed connection and no file left', async () => {
			let sent = () => 0;
			service.onDownload = (_request, response) => {
				sent = sendEndlessPng(response);
			};
			const { error } = await service.run();

			expect(error?.message).toBe('The image could not be downloaded: it is larger than 1 GiB.');
			expect(error?.description).toContain(service.job.output_url);
			expect(service.requests.map(({ method }) => method)).toStrictEqual(['POST', 'GET']);
			await until(() => service.sockets.size === 0);
			expect(sent()).toBeGreaterThan(LIMIT);
			// What the sockets of both ends hold is sent, but never read.
			expect(sent()).toBeLessThan(LIMIT + 64 * MIB);
			expect(storedFiles()).toStrictEqual([]);
		});
	},
);
