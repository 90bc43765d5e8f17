import type { StoredExecution } from '../../nodes/ImageGeneration/n8n/storedExecution';
import { Callers } from '../../nodes/ImageGeneration/run/callers';

const GOES_ON: StoredExecution = {
	hasError: false,
	isRejected: false,
	hasOutput: false,
	isAllRun: false,
	isRecovered: false,
	waitsUntil: 0,
	parent: '',
};

/** A sub-workflow whose caller is in n8n as this says, and a clock. */
function calledBy() {
	const state: { now: number; caller: StoredExecution | undefined | 'no answer' } = {
		now: 0,
		caller: GOES_ON,
	};
	const asked: string[] = [];
	const process = { timeOfDay: () => 0, now: () => state.now };
	const ask = async (id: string) => {
		if (id === '7') return { ...GOES_ON, parent: '6' };
		asked.push(id);
		await Promise.resolve();
		if (state.caller === 'no answer') throw new Error('Away');
		return state.caller;
	};
	const callers = new Callers(process, ask, { id: '7', parentId: '', isSubWorkflow: true });
	const isStopped = async (at: number, caller: typeof state.caller) => {
		Object.assign(state, { now: at, caller });
		await callers.check();
		return callers.signal.aborted;
	};
	return { asked, isStopped };
}

it.each([
	['a failure', { ...GOES_ON, hasError: true }],
	['Stop And Error', { ...GOES_ON, hasError: true, isRejected: true }],
])(
	'a sub-workflow asks about its caller every two seconds at most, and ends once that is over: %s',
	async (_how, over) => {
		const { asked, isStopped } = calledBy();
		for (const at of [0, 1, 1999]) expect(await isStopped(at, GOES_ON)).toBe(false);
		expect(asked).toHaveLength(1);

		expect(await isStopped(2000, GOES_ON)).toBe(false);
		expect(await isStopped(3999, over)).toBe(false);
		expect(await isStopped(4000, over)).toBe(true);
		expect(asked).toHaveLength(3);
	},
);

it('nothing is stopped by a caller of which n8n has nothing or does not answer, or that n8n found dead and Retry repeats', async () => {
	const { isStopped } = calledBy();
	for (const at of [0, 10_000, 20_000]) expect(await isStopped(at, undefined)).toBe(false);
	expect(await calledBy().isStopped(0, 'no answer')).toBe(false);
	expect(await calledBy().isStopped(0, { ...GOES_ON, isRecovered: true })).toBe(false);
});

it('a caller that goes on may have one itself that is over', async () => {
	const stored: Record<string, StoredExecution> = {
		7: { ...GOES_ON, parent: '6' },
		6: { ...GOES_ON, parent: '5' },
		5: { ...GOES_ON, hasError: true },
	};
	const clock = { timeOfDay: () => 0, now: () => 0 };
	const own = { id: '7', parentId: '', isSubWorkflow: true };
	const callers = new Callers(clock, async (id) => stored[id], own);
	await callers.check();

	expect(callers.signal.aborted).toBe(true);
});
