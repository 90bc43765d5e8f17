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

/** What n8n says of the sub-workflow itself. */
async function ownData(parent: string, isAway: boolean): Promise<StoredExecution> {
	await Promise.resolve();
	if (isAway) throw new Error('Away');
	return { ...GOES_ON, parent };
}

/** A sub-workflow whose caller is in n8n as this says, and a clock. */
function calledBy(parent = '6') {
	const state: {
		now: number;
		caller: StoredExecution | undefined | 'no answer';
		/** Whether n8n's database is away. */
		isAway: boolean;
	} = { now: 0, caller: GOES_ON, isAway: false };
	const asked: string[] = [];
	const process = { timeOfDay: () => 0, now: () => state.now };
	const ask = async (id: string) => {
		if (id === '7') return await ownData(parent, state.isAway);
		asked.push(id);
		if (state.caller === 'no answer') throw new Error('Away');
		return state.caller;
	};
	const callers = new Callers(process, ask, { id: '7', parentId: '', isSubWorkflow: true });
	const isStopped = async (at: number, caller: typeof state.caller) => {
		Object.assign(state, { now: at, caller });
		await callers.check();
		return callers.signal.aborted;
	};
	return { asked, isStopped, state };
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
	['Stop And Error', { ...GOES_ON, hasError: true, isRejected: true }],
])(
	'a caller is over after %s, of which n8n says nothing to its sub-workflow',
	async (_what, caller) => {
		const { isStopped } = calledBy();
		await isStopped(0, GOES_ON);

		expect(await isStopped(2000, caller)).toBe(true);
	},
);

it('nothing is stopped by a caller of which n8n has nothing or does not answer, or that n8n found dead and Retry repeats', async () => {
	const { isStopped } = calledBy();
	for (const at of [0, 10_000, 20_000]) expect(await isStopped(at, undefined)).toBe(false);
	expect(await calledBy().isStopped(0, 'no answer')).toBe(false);
	expect(await calledBy().isStopped(0, { ...GOES_ON, isRecovered: true })).toBe(false);
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

it('a sub-workflow asks again who waits for it if n8n did not answer at first', async () => {
	const { isStopped, state } = calledBy();
	state.isAway = true;
	expect(await isStopped(0, { ...GOES_ON, hasError: true })).toBe(false);
	state.isAway = false;

	expect(await isStopped(2000, { ...GOES_ON, hasError: true })).toBe(true);
});
