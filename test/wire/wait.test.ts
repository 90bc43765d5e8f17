import { getEventListeners } from 'node:events';

import { N8nProcess } from '../../nodes/ImageGeneration/run/n8nProcess';
import { Deadline, orAborted } from '../../nodes/ImageGeneration/wait';
import { collectGarbage } from '../support/collectGarbage';
import { until } from '../support/until';

// n8n 1.123.81 has this `sleep`, which knows no signal.
jest.mock('n8n-workflow', (): object => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => {
		await new Promise((resolve) => setTimeout(resolve, ms).unref());
	},
}));

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;
const forever = new Promise<never>(() => {});

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

it('a process stops waiting at once when the run is stopped, also in n8n 1', async () => {
	const stop = new AbortController();
	const waiting = new N8nProcess().wait(60_000, stop.signal);
	stop.abort();

	await expect(waiting).resolves.toBeUndefined();
});

it('a signal of several others is not kept in memory once nobody waits for it', async () => {
	const stop = new AbortController();
	const wait = async () => {
		const either = AbortSignal.any([stop.signal, new AbortController().signal]);
		await orAborted(Promise.resolve('done'), either);
		return new WeakRef(either);
	};
	const waited = await wait();

	// What a WeakRef returned stays until the turn is over.
	await new Promise((resolve) => setImmediate(resolve));
	collectGarbage();
	expect(waited.deref()).toBeUndefined();
});

it('a request that has ended is not kept in memory until its time limit', async () => {
	const end = () => {
		const deadline = new Deadline(600);
		deadline.end();
		return new WeakRef(deadline);
	};
	const ended = end();

	// What a WeakRef returned stays until the turn is over.
	await new Promise((resolve) => setImmediate(resolve));
	collectGarbage();
	expect(ended.deref()).toBeUndefined();
});

describe('a deadline', () => {
	// Time is mocked; waiting for real would be slow. Whole milliseconds add up exactly.
	let now = Math.ceil(performance.now());
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

	it('gives what arrived while the whole process stood still one more turn', async () => {
		const [answered, silent] = [new Deadline(5), new Deadline(5)];
		pass(13);
		expect([answered, silent].map(isOver)).toStrictEqual([
			[false, false],
			[false, false],
		]);
		answered.end();
		await until(() => silent.isOver);

		expect(isOver(answered)).toStrictEqual([false, true]);
	});

	it('aborts the request when the run is stopped, or when it ends, but is not over then', () => {
		const stop = new AbortController();
		const [stopped, ended] = [new Deadline(7, stop.signal), new Deadline(7)];
		stop.abort(new Error('Stopped'));
		ended.end();

		expect(isOver(stopped)).toStrictEqual([false, true]);
		expect(stopped.signal.reason).toStrictEqual(new Error('Stopped'));
		expect(isOver(new Deadline(7, stop.signal))).toStrictEqual([false, true]);
		pass(7);
		expect(isOver(ended)).toStrictEqual([false, true]);
		expect(ended.signal.reason).toStrictEqual(new Error('the request has ended'));
	});
});
