import type { StoredExecution } from '../../nodes/ImageGeneration/n8n/storedExecution';
import { Journal } from '../../nodes/ImageGeneration/recall/journal';
import { Words } from '../../nodes/ImageGeneration/recall/judge';
import { Callers } from '../../nodes/ImageGeneration/run/callers';

const GOES_ON: StoredExecution = {
	hasError: false,
	hasOutput: false,
	isAllRun: false,
	isRecovered: false,
	waitsUntil: 0,
	parent: '',
};

/** A sub-workflow whose caller is in n8n as this says, and a clock. */
function calledBy(parent = '6') {
	const state: { now: number; caller: StoredExecution | undefined | 'no answer' } = {
		now: 0,
		caller: GOES_ON,
	};
	const asked: string[] = [];
	const process = {
		name: 'here',
		journal: new Journal(() => false),
		words: new Words(),
		timeOfDay: () => 0,
		now: () => state.now,
	};
	const ask = async (id: string) => {
		asked.push(id);
		if (state.caller === 'no answer') throw new Error('Away');
		return state.caller;
	};
	const callers = new Callers(process, ask, parent);
	const isStopped = async (at: number, caller: typeof state.caller) => {
		Object.assign(state, { now: at, caller });
		await callers.check();
		return callers.signal.aborted;
	};
	return { asked, isStopped };
}

it('a sub-workflow asks about its caller every two seconds at most, and ends once that is over', async () => {
	const { asked, isStopped } = calledBy();
	for (const at of [0, 1, 1999]) expect(await isStopped(at, GOES_ON)).toBe(false);
	expect(asked).toHaveLength(1);

	expect(await isStopped(2000, GOES_ON)).toBe(false);
	expect(await isStopped(3999, { ...GOES_ON, hasError: true })).toBe(false);
	expect(await isStopped(4000, { ...GOES_ON, hasError: true })).toBe(true);
	expect(asked).toHaveLength(3);
});

it.each([
	['a time limit', { ...GOES_ON, hasOutput: true, isAllRun: true }],
	['its deletion', undefined],
])('a caller is over after %s, too late for a message of n8n', async (_what, caller) => {
	const { isStopped } = calledBy();
	await isStopped(0, GOES_ON);

	expect(await isStopped(2000, caller)).toBe(true);
});

it('nothing is stopped by a caller of which n8n never had anything, however often it is asked about, or of which it does not answer', async () => {
	const { isStopped } = calledBy();
	for (const at of [0, 10_000, 20_000]) expect(await isStopped(at, undefined)).toBe(false);
	expect(await calledBy().isStopped(0, 'no answer')).toBe(false);
});

it('two requests that are about to go out both wait for the answer to one question', async () => {
	const { asked, isStopped } = calledBy();
	await isStopped(0, GOES_ON);
	const over = { ...GOES_ON, hasError: true };
	const both = await Promise.all([isStopped(2000, over), isStopped(2000, over)]);

	expect(both).toStrictEqual([true, true]);
	expect(asked).toHaveLength(2);
});

it('a workflow that nobody calls asks nothing', async () => {
	const { asked, isStopped } = calledBy('');

	expect(await isStopped(0, undefined)).toBe(false);
	expect(asked).toStrictEqual([]);
});
