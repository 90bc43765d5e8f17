import { getEventListeners } from 'node:events';

import { Deadline } from '../../nodes/ImageGeneration/service/deadline';
import { orAborted } from '../../nodes/ImageGeneration/service/wait';

// Time is mocked; waiting for real would be slow.
let now = 0;
let limits: AbortController[] = [];
beforeEach(() => {
	now = 0;
	limits = [];
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const limit = new AbortController();
		limits.push(limit);
		return limit.signal;
	});
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** Advances time by `seconds` and fires the latest timeout. */
function pass(seconds: number): void {
	now += seconds * 1000;
	limits.at(-1)?.abort();
}
const waits = () => jest.mocked(AbortSignal.timeout).mock.calls.map(([ms]) => ms);
const held = () =>
	limits.map(({ signal }) => getEventListeners(signal, 'abort').length).filter(Boolean);

describe('a deadline', () => {
	it('aborts the request when time is up', () => {
		const deadline = new Deadline(7);
		expect(waits()).toEqual([7000]);
		expect(deadline.signal.aborted).toBe(false);

		pass(7);
		expect(deadline.signal.aborted).toBe(true);
		expect(deadline.isOver).toBe(true);
	});

	it('is extended by progress, without a new timeout each time', () => {
		const deadline = new Deadline(7);
		for (let second = 1; second <= 5; second++) {
			now = second * 1000;
			deadline.extend();
		}
		expect(waits()).toEqual([7000]);

		pass(2);
		expect(deadline.signal.aborted).toBe(false);
		expect(waits()).toEqual([7000, 5000]);

		pass(5);
		expect(deadline.isOver).toBe(true);
	});

	it('is not over when the run is stopped', () => {
		const stop = new AbortController();
		const deadline = new Deadline(7, stop.signal);
		stop.abort();

		expect(deadline.signal.aborted).toBe(true);
		expect(deadline.isOver).toBe(false);
	});

	it('aborts open work when it ends, and drops its timeout', () => {
		const deadline = new Deadline(7, new AbortController().signal);
		// Node 20 garbage-collects a timeout that nobody references.
		expect(held()).toHaveLength(1);

		deadline.end();
		expect(deadline.signal.aborted).toBe(true);
		expect(deadline.isOver).toBe(false);
		expect(held()).toEqual([]);
	});

	it('ends the wait for a promise that accepts no signal', async () => {
		const deadline = new Deadline(7);
		const wait = async (promise: Promise<unknown>) => await orAborted(promise, deadline.signal);
		expect(await wait(Promise.resolve('done'))).toBe('done');
		await expect(wait(Promise.reject(new Error('No')))).rejects.toThrow('No');

		const late = wait(new Promise(() => {}));
		pass(7);
		await expect(late).rejects.toThrow('timed out');
		await expect(wait(new Promise(() => {}))).rejects.toThrow('timed out');
		expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
	});
});
