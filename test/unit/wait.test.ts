import { getEventListeners } from 'node:events';

import { wait } from '../../nodes/ImageGeneration/service/wait';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** Replaces the signal that a wait combines from others. */
function onlySignal(): AbortController {
	const own = new AbortController();
	jest.spyOn(AbortSignal, 'any').mockReturnValue(own.signal);
	return own;
}

describe('a wait', () => {
	it.each([
		['without a signal', undefined],
		['with a signal', new AbortController().signal],
	])('ends when its time is up, %s', async (_how, signal) => {
		const ended = jest.fn();
		const waiting = wait(1000, signal).then(ended);
		await jest.advanceTimersByTimeAsync(999);
		expect(ended).not.toHaveBeenCalled();

		await jest.advanceTimersByTimeAsync(1);
		await waiting;
		expect(ended).toHaveBeenCalledTimes(1);
	});

	it('ends at once with the signal’s reason', async () => {
		const controller = new AbortController();
		const ended = wait(1000, controller.signal).catch((reason: unknown) => reason);
		controller.abort(new Error('Stopped'));

		expect(await ended).toEqual(new Error('Stopped'));
	});

	it('leaves no listener behind when it is stopped', async () => {
		const own = onlySignal();
		const ended = wait(1000, undefined).catch((reason: unknown) => reason);
		expect(getEventListeners(own.signal, 'abort')).not.toEqual([]);
		own.abort(new Error('Stopped'));

		expect(await ended).toEqual(new Error('Stopped'));
		expect(getEventListeners(own.signal, 'abort')).toEqual([]);
	});

	it('leaves no listener behind when it ends normally', async () => {
		const { signal } = onlySignal();
		const waiting = wait(1000, undefined);
		await jest.advanceTimersByTimeAsync(1000);
		await waiting;

		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('does not start if it is already stopped', async () => {
		await expect(wait(1000, AbortSignal.abort(new Error('Stopped')))).rejects.toThrow('Stopped');
		expect(jest.getTimerCount()).toBe(0);
	});

	it('adds no listener to a shared signal, because Node 20 warns about more than ten', async () => {
		const { signal } = new AbortController();
		const listens = jest.spyOn(signal, 'addEventListener');
		const waiting = wait(1000, signal);
		await jest.advanceTimersByTimeAsync(1000);
		await waiting;

		expect(listens).not.toHaveBeenCalled();
	});
});
