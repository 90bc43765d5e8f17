import { getEventListeners } from 'node:events';

import { withTimeLimit } from '../../nodes/ImageGeneration/service/timeLimit';

const limit = new AbortController();
beforeEach(() => {
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
});
afterEach(() => {
	jest.restoreAllMocks();
});
const listeners = () => getEventListeners(limit.signal, 'abort').length;

describe('a time limit', () => {
	it('is in seconds, and gives what the task gives', async () => {
		expect(await withTimeLimit(7, undefined, async () => await Promise.resolve('done'))).toBe(
			'done',
		);
		expect(jest.mocked(AbortSignal.timeout).mock.calls).toEqual([[7000]]);
	});

	it('is held as long as the task runs, so that it can’t be lost, and no longer', async () => {
		const held = await withTimeLimit(1, new AbortController().signal, async () => {
			await Promise.resolve();
			return listeners();
		});
		expect(held).toBeGreaterThan(0);
		expect(listeners()).toBe(0);

		const failing = withTimeLimit(1, undefined, async () => await Promise.reject(new Error('No')));
		await expect(failing).rejects.toThrow('No');
		expect(listeners()).toBe(0);
	});

	it('ends the task as a stop does', async () => {
		const stop = new AbortController();
		await withTimeLimit(1, stop.signal, async (signal) => {
			await Promise.resolve();
			stop.abort();
			expect(signal.aborted).toBe(true);
		});
		await withTimeLimit(1, new AbortController().signal, async (signal) => {
			await Promise.resolve();
			expect(signal.aborted).toBe(false);
			limit.abort();
			expect(signal.aborted).toBe(true);
		});
	});
});
