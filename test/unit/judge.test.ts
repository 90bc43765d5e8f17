import type { IExecuteFunctions } from 'n8n-workflow';

import { askN8n } from '../../nodes/ImageGeneration/n8n/storedExecution';
import { Journal } from '../../nodes/ImageGeneration/recall/journal';
import { Judge, Words } from '../../nodes/ImageGeneration/recall/judge';
import type { Purchase } from '../../nodes/ImageGeneration/recall/purchase';
import { asN8nStores, JUDGE_ROWS, type JudgeRow } from '../support/judgeTable';
import { live, purchaseWith } from '../support/purchases';

const NOW = Date.parse('2026-11-28T12:00:00Z');

/** A process, and an n8n that has stored this. */
function judging(stored: JudgeRow['stored']) {
	const words = new Words();
	const journal = new Journal((id) => words.get(id) === 'ended well');
	const asked: string[] = [];
	const context: Partial<Record<keyof IExecuteFunctions, unknown>> = {
		getExecutionDataById: async (id: string) => {
			asked.push(id);
			const found = stored[id];
			if (found === 'no answer') throw new Error('The database did not answer.');
			return found && asN8nStores(found, NOW);
		},
	};
	const ask = askN8n(context as unknown as IExecuteFunctions);
	const process = { name: 'here', journal, words, timeOfDay: () => NOW };
	return { journal, words, asked, judge: () => new Judge(process, ask), stored };
}

const purchaseOf = ({ purchase = {} }: JudgeRow): Purchase => {
	const { isOwn = false, isLive = false, age = 1000, ...more } = purchase;
	return purchaseWith({ run: isOwn || isLive ? 'here.1' : 'there.1', time: NOW - age, ...more });
};

it.each(JUDGE_ROWS.map((row) => [row.word, row.execution, row] as const))(
	'says "%s" of an execution: %s',
	async (word, _execution, row) => {
		const { journal, judge } = judging(row.stored);
		const { isLive = false } = row.purchase ?? {};
		if (isLive) journal.beginRun('here.1', live(new AbortController().signal));

		expect(await judge().wordOn(purchaseOf(row))).toBe(word);
	},
);

it.each([
	['goes on', 30],
	['did not end well', 90],
] as const)(
	'says "%s" of an execution in another process whose row was last changed %i minutes ago',
	async (word, minutes) => {
		const { judge } = judging({ 7: { stack: ['Trigger'] } });
		const minute = 60 * 1000;
		const row = { table: 'a', id: 1, state: 'bought', changed: NOW - minutes * minute } as const;
		const purchase = purchaseWith({ run: 'there.1', time: NOW - 600 * minute, row });

		expect(await judge().wordOn(purchase)).toBe(word);
	},
);

it('an execution of another process is not lost because n8n’s database is away', async () => {
	const { judge } = judging({ 7: 'no answer' });
	const purchase = purchaseWith({ run: 'there.1', time: NOW - 10 * 60 * 60 * 1000 });

	expect(await judge().wordOn(purchase)).toBe('goes on');
});

it('a final word is asked for once in a process, and one that goes on again in each pass', async () => {
	const { asked, judge } = judging({ 7: { output: ['Draw'] }, 8: { stack: ['Trigger'] } });
	for (const execution of ['7', '8']) {
		for (let pass = 0; pass < 2; pass++) await judge().wordOn(purchaseWith({ execution }));
	}

	expect(asked).toStrictEqual(['7', '8', '8']);
	expect(judge().known(purchaseWith({ execution: '7' }))).toBe('ended well');
});

it('one pass asks about an execution once, however many images and sub-workflows it has', async () => {
	const { asked, judge } = judging({
		7: { stack: ['Trigger'], caller: { id: '6', isWaiting: true } },
		8: { stack: ['Trigger'], caller: { id: '6', isWaiting: true } },
		6: { stack: ['Call'] },
	});
	const pass = judge();
	for (const execution of ['7', '8', '7', '8']) await pass.wordOn(purchaseWith({ execution }));

	expect(asked).toStrictEqual(['7', '6', '8']);
	expect(pass.questions).toBe(3);
});

it('a run that was stopped goes on no more, even if it still winds up', async () => {
	const { journal, judge } = judging({ 7: { error: 'Cancelled', stack: ['Trigger'] } });
	const stop = new AbortController();
	journal.beginRun('here.1', live(stop.signal));
	const purchase = purchaseWith({ run: 'here.1' });
	expect(await judge().wordOn(purchase)).toBe('goes on');
	stop.abort();

	expect(await judge().wordOn(purchase)).toBe('did not end well');
});

it('of ten thousand final words the latest are kept', () => {
	const words = new Words();
	for (let id = 0; id <= 10_000; id++) words.set(String(id), 'ended well');
	words.set('on', 'goes on');

	expect(words.get('0')).toBeUndefined();
	expect(words.get('1')).toBe('ended well');
	expect(words.get('on')).toBeUndefined();
});
