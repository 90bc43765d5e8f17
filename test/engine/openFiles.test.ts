import type { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { largePng } from '../support/images';
import { useStrangeService } from '../support/strangeService';
import { until } from '../support/until';

const service = useStrangeService();
const COUNT = 200;

/** What n8n's storage opened, and how many files it is about to open. */
interface Opened {
	files: Readable[];
	pending: number;
}

/** Has n8n's storage open each file later than a call is cut off, unless it is only looked at. */
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

describe('uploads that are cut off', () => {
	it.each([
		['at once', 0],
		['as the file is opened', 100],
	])('leave no file and no connection open: %s', async (_when, ms) => {
		// Larger than what is read ahead, so that it is not closed by being read to its end.
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
