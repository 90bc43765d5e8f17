import { getEventListeners } from 'node:events';

import { wait } from '../../nodes/ImageGeneration/execution/wait';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

describe('a wait', () => {
	it.each([
		['without a signal', []],
		['with two', [new AbortController().signal, new AbortController().signal]],
	])('ends when its time is up, %s', async (_how, ends) => {
		const ended = jest.fn();
		const waiting = wait(1000, ends).then(ended);
		await jest.advanceTimersByTimeAsync(999);
		expect(ended).not.toHaveBeenCalled();

		await jest.advanceTimersByTimeAsync(1);
		await waiting;
		expect(ended).toHaveBeenCalledTimes(1);
	});

	it('ends at once with the reason when it is stopped, and leaves no listener behind', async () => {
		const controller = new AbortController();
		const ended = wait(1000, [new AbortController().signal, controller.signal]).catch(
			(reason: unknown) => reason,
		);
		controller.abort(new Error('Stopped'));

		expect(await ended).toEqual(new Error('Stopped'));
		expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
	});

	it('leaves no listener behind when it was not stopped', async () => {
		const { signal } = new AbortController();
		const waiting = wait(1000, [signal]);
		await jest.advanceTimersByTimeAsync(1000);
		await waiting;

		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('is not begun once it is stopped', async () => {
		await expect(wait(1000, [AbortSignal.abort(new Error('Stopped'))])).rejects.toThrow('Stopped');
		expect(jest.getTimerCount()).toBe(0);
	});

	it('lets hundreds wait for the same stop without a word from Node', async () => {
		const warned = jest.fn();
		process.on('warning', warned);
		const controller = new AbortController();
		const waits = Array.from({ length: 200 }, async () => {
			await wait(1000, [controller.signal]).catch(() => {});
		});
		controller.abort();
		await Promise.all(waits);
		jest.useRealTimers();
		await new Promise(setImmediate);
		process.off('warning', warned);

		expect(warned).not.toHaveBeenCalled();
	});
});
