import { getEventListeners } from 'node:events';

import { Deadline, orAborted, wait } from '../../nodes/ImageGeneration/service/wait';

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;
const forever = new Promise<never>(() => {});

describe('a wait', () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});

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

	it('ends at once with the signal’s reason, and leaves no timer behind', async () => {
		const stop = new AbortController();
		const ended = wait(1000, stop.signal);
		stop.abort(new Error('Stopped'));

		await expect(ended).rejects.toThrow('Stopped');
		await expect(wait(1000, stop.signal)).rejects.toThrow('Stopped');
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe('the wait for a promise', () => {
	it('ends with its value, its error, or the signal’s reason', async () => {
		const stop = new AbortController();
		expect(await orAborted(Promise.resolve('done'), stop.signal)).toBe('done');
		await expect(orAborted(Promise.reject(new Error('No')), stop.signal)).rejects.toThrow('No');

		const late = orAborted(forever, stop.signal);
		stop.abort(new Error('Stopped'));
		await expect(late).rejects.toThrow('Stopped');
		await expect(orAborted(forever, stop.signal)).rejects.toThrow('Stopped');
	});

	it('adds one listener to a signal at most, because Node 20 warns about more than ten', () => {
		const { signal } = new AbortController();
		for (let count = 0; count < 20; count++) {
			void orAborted(forever, signal);
			new Deadline(60, signal).end();
		}

		expect(listenersOf(signal)).toBe(1);
	});
});

describe('a deadline', () => {
	// Time is mocked; waiting for real would be slow.
	let now = performance.now();
	let timers: Array<{ ms: number; firesAt: number; fire: () => void }> = [];
	beforeEach(() => {
		timers = [];
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const timer = new AbortController();
			timers.push({ ms, firesAt: now + ms, fire: () => timer.abort() });
			return timer.signal;
		});
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});

	const pass = (seconds: number) => {
		now += seconds * 1000;
		for (const { firesAt, fire } of [...timers]) if (firesAt <= now) fire();
	};
	const isOver = (deadline: Deadline) => [deadline.isOver, deadline.signal.aborted];

	it('aborts the request when time is up', () => {
		const deadline = new Deadline(7);
		pass(6);
		expect(isOver(deadline)).toEqual([false, false]);

		pass(1);
		expect(isOver(deadline)).toEqual([true, true]);
		expect(deadline.signal.reason).toEqual(new Error('timed out'));
	});

	it('is extended by progress, without a new timer each time', () => {
		const deadline = new Deadline(7);
		for (let second = 1; second <= 5; second++) {
			pass(1);
			deadline.extend();
		}
		expect(timers.map(({ ms }) => ms)).toEqual([7000]);

		pass(2);
		expect(isOver(deadline)).toEqual([false, false]);
		expect(timers.map(({ ms }) => ms)).toEqual([7000, 5000]);

		pass(5);
		expect(isOver(deadline)).toEqual([true, true]);
	});

	it('shares its timer with others, and each is over in its own time', () => {
		const deadlines = [7, 7, 3, 10].map((seconds) => new Deadline(seconds));
		expect(timers.map(({ ms }) => ms)).toEqual([7000, 3000]);

		const over = [3, 4, 3].map((seconds) => {
			pass(seconds);
			return deadlines.map((deadline) => deadline.isOver);
		});
		expect(over).toEqual([
			[false, false, true, false],
			[true, true, true, false],
			[true, true, true, true],
		]);
	});

	it('aborts the request when the run is stopped, but is not over', () => {
		const stop = new AbortController();
		const deadline = new Deadline(7, stop.signal);
		stop.abort(new Error('Stopped'));

		expect(isOver(deadline)).toEqual([false, true]);
		expect(deadline.signal.reason).toEqual(new Error('Stopped'));
		expect(isOver(new Deadline(7, stop.signal))).toEqual([false, true]);
	});

	it('aborts open work when it ends, and is never over', () => {
		const deadline = new Deadline(7);
		deadline.end();
		pass(7);

		expect(isOver(deadline)).toEqual([false, true]);
		expect(deadline.signal.reason).toEqual(new Error('the request has ended'));
	});
});
