import type { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { largePng } from '../support/images';
import { useRawService } from '../support/rawService';
import { until } from '../support/until';

const service = useRawService();
const COUNT = 200;

/** The files that n8n's storage opened, and how many it is still opening. */
interface Opened {
	files: Readable[];
	pending: number;
}

/** Delays opening each file until the request is cut, except for a look at its first bytes. */
function slowStorage(): Opened {
	const opened: Opened = { files: [], pending: 0 };
	const storage = Container.get(BinaryDataService);
	const open = storage.getAsStream.bind(storage);
	jest.spyOn(storage, 'getAsStream').mockImplementation(async (id, chunkSize) => {
		opened.pending++;
		if (chunkSize === undefined) await new Promise((resolve) => setTimeout(resolve, 100));
		const file = await open(id, chunkSize);
		opened.files.push(file);
		opened.pending--;
		return file;
	});
	return opened;
}
afterEach(() => {
	jest.restoreAllMocks();
});

describe('interrupted uploads', () => {
	it.each([
		['at once', 0],
		['while the file is opened', 100],
	])('leave no file and no connection open: %s', async (_when, ms) => {
		// Larger than the read-ahead, so that reading does not reach the end and close the file.
		const data = await service.engine.store(largePng(4), 'large.png', 'image/png');
		const opened = slowStorage();
		service.onCall = (request) => setTimeout(() => request.socket.destroy(), ms);
		const { rows } = await service.run(
			{ concurrency: 50 },
			{
				parameters: { operation: 'removeBackground' },
				items: Array.from({ length: COUNT }, () => ({ json: {}, binary: { data } })),
				node: { onError: 'continueRegularOutput' },
			},
		);

		expect(rows).toHaveLength(COUNT);
		expect(service.requests).toHaveLength(COUNT);
		await until(() => opened.pending === 0);
		await until(() => opened.files.every(({ closed }) => closed));
		await until(() => service.sockets.size === 0);
		expect(opened.files.length).toBeGreaterThan(COUNT);
	});
});
