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

it('a wait adds one listener to a signal at most, because Node 20 warns about more than ten', () => {
	const { signal } = new AbortController();
	for (let count = 0; count < 20; count++) {
		void orAborted(new Promise(() => {}), signal);
		new Deadline(60, signal).end();
	}

	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});

it('a process stops waiting at once when the run is stopped, also in n8n 1', async () => {
	const stop = new AbortController();
	const waiting = new N8nProcess().wait(60_000, stop.signal);
	stop.abort();

	await expect(waiting).resolves.toBeUndefined();
});

/** Waits with a signal that nothing else holds. */
async function waitWithSignal(): Promise<AbortSignal> {
	const either = AbortSignal.any([new AbortController().signal, new AbortController().signal]);
	await orAborted(Promise.resolve('done'), either);
	return either;
}

async function endRequest(): Promise<Deadline> {
	const deadline = new Deadline(600);
	deadline.end();
	return deadline;
}

it.each<[what: string, use: () => Promise<object>]>([
	['a signal of several others for which nobody waits any more', waitWithSignal],
	['a request that has ended before its time limit', endRequest],
])('%s is not kept in memory', async (_what, use) => {
	const used = new WeakRef(await use());

	// What a WeakRef holds at first stays until the turn is over.
	await new Promise((resolve) => setImmediate(resolve));
	collectGarbage();
	expect(used.deref()).toBeUndefined();
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
});
