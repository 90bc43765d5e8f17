import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { PHOTO } from '../support/house';
import { useStrangeService } from '../support/strangeService';
import { until } from '../support/until';

const service = useStrangeService();
const COUNT = 200;

/** Has n8n's storage open each file a moment later. @returns the files it opened */
function slowStorage(): Readable[] {
	const opened: Readable[] = [];
	const storage = Container.get(BinaryDataService);
	const open = storage.getAsStream.bind(storage);
	jest.spyOn(storage, 'getAsStream').mockImplementation(async (...which) => {
		await new Promise((resolve) => setTimeout(resolve, 30));
		const stream = await open(...which);
		opened.push(stream);
		return stream;
	});
	return opened;
}
afterEach(() => {
	jest.restoreAllMocks();
});

describe('uploads that are cut off', () => {
	it.each([
		['at once', 0],
		['a moment later', 40],
	])('leave no file and no connection open: %s', async (_when, ms) => {
		const data = await service.engine.store(await readFile(PHOTO), 'photo.jpg', 'image/jpeg');
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
		await until(() => opened.every(({ closed, destroyed }) => closed || destroyed));
		await until(() => service.sockets.size === 0);
		expect(opened.length).toBeGreaterThan(COUNT);
	});
});
