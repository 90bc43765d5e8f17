import {
	isBought,
	type BoughtPurchase,
	type Purchase,
} from '../../../nodes/ImageGeneration/recall/purchase';
import type { Policy } from '../../../nodes/ImageGeneration/recall/recall';
import { jobWith, resultOf } from '../../support/jobs';
import { purchaseWith } from '../../support/purchaseWith';
import { recallingRun } from '../../support/recalling';

const OWL = purchaseWith() as BoughtPurchase;
const owlOf = (more: Partial<Purchase>) => ({ ...OWL, ...more }) as BoughtPurchase;
const foundWith = (purchase: BoughtPurchase) => ({ purchase, holders: [purchase.holder] });

describe('a run that uses an image', () => {
	it.each<[what: string, Policy, isManual: boolean, Partial<Purchase>, holder: string]>([
		['that nobody has', 'next run', false, { holder: '' }, '9'],
		['of a failed execution', 'next run', false, { holder: 'failed' }, '9'],
		['of the editor, in the editor', 'editor', true, { holder: 'ended well', isManual: true }, '9'],
		['of a published night, in the editor', 'editor', true, { holder: 'failed' }, 'failed'],
		['that nobody has, with Always', 'always', false, { holder: '' }, '9'],
		['of another one, with Always', 'always', false, { holder: 'failed' }, 'failed'],
	])('%s becomes its holder or leaves it as it was', (_what, policy, isManual, more, holder) => {
		const owl = owlOf(more);
		const { purchases } = recallingRun({ policy, isManual, purchases: [owl] });

		expect(purchases.use(jobWith(), foundWith(owl))).toBe(owl);
		expect(owl.holder).toBe(holder);
	});

	it('does not get it if another run has it meanwhile', () => {
		const owl = owlOf({ holder: 'failed' });
		const { purchases, memory } = recallingRun({ purchases: [owl] });
		const found = foundWith(owl);
		owl.holder = 'another';

		expect(purchases.use(jobWith(), found)).toBeUndefined();
		expect(owl.holder).toBe('another');
		expect(memory.get(jobWith().rows[0])).toBeUndefined();
	});

	it('knows what only the log listed from then on, on its own account', () => {
		const { purchases, journal } = recallingRun({ rows: [] });
		purchases.use(jobWith(), foundWith(owlOf({ holder: '', accounts: [] })));

		expect(journal.get(OWL)).toMatchObject({ holder: '9', accounts: ['an account'] });
	});

	it('writes its holder to the log', async () => {
		const owl = owlOf({ holder: 'failed' });
		const { purchases, written } = recallingRun({ purchases: [owl], rows: [owl] });
		purchases.use(jobWith(), foundWith(owl));
		await purchases.flush();

		expect(written).toStrictEqual(['written for 9']);
	});
});

describe('at the end of a run', () => {
	/** A run that has bought one image and uses another one. */
	function ending() {
		const owl = owlOf({ holder: 'failed' });
		const started = recallingRun({ purchases: [owl], rows: [owl] });
		const job = jobWith({ requestKey: 'a fox' });
		const { purchases } = started;
		purchases.use(jobWith(), foundWith(owl));
		const flight = purchases.enter(job);
		purchases.settle(job, flight, { value: resultOf('fox') }, '');
		return { ...started, owl, fox: flight.purchase };
	}

	it('that was delivered, its images stay its own', () => {
		const { purchases, owl, fox, run } = ending();
		purchases.end([]);

		expect([owl.holder, fox.holder, run.isOver]).toStrictEqual(['9', '9', true]);
	});

	it('that was delivered without one of them, that one goes back', () => {
		const { purchases, owl, fox } = ending();
		purchases.end([fox]);

		expect([owl.holder, fox.holder]).toStrictEqual(['9', '']);
	});

	it('that delivered nothing, all go back to those who had them before, in the log as well', async () => {
		const { purchases, owl, fox, journal, written } = ending();
		await purchases.flush();
		written.length = 0;
		purchases.end();
		await purchases.flush();

		expect([owl.holder, fox.holder]).toStrictEqual(['failed', '']);
		expect(journal.isLive('a node', '9')).toBe(false);
		expect(written).toStrictEqual(['written for failed', 'written for nobody']);
	});

	it('that was stopped, they go back at once, and nobody waits for the log', async () => {
		const { purchases, owl, fox, journal, written } = ending();
		await purchases.flush();
		written.length = 0;
		purchases.stop();
		await Promise.resolve();

		expect([owl.holder, fox.holder]).toStrictEqual(['failed', '']);
		expect(journal.isLive('a node', '9')).toBe(false);
		expect(written).toStrictEqual(['started to write for failed', 'started to write for nobody']);
	});

	it('what another run uses meanwhile stays with that one', () => {
		const { purchases, owl } = ending();
		owl.holder = 'another';
		purchases.end();

		expect(owl.holder).toBe('another');
	});

	it('what has no answer yet is nobody’s when it comes', () => {
		const { purchases, journal } = recallingRun();
		const job = jobWith();
		const flight = purchases.enter(job);
		purchases.end();
		expect(journal.flightsOf(job.requestKey)).toStrictEqual([flight]);
		purchases.settle(job, flight, { value: resultOf('fox') }, 'a hash');

		expect(flight.purchase).toMatchObject({ holder: '', result: resultOf('fox'), file: 'a hash' });
		expect(journal.flightsOf(job.requestKey)).toStrictEqual([]);
	});
});

it('an image whose link does not give it goes back, and its place is free', () => {
	const owl = owlOf({ holder: 'failed' });
	const { purchases, memory } = recallingRun({ purchases: [owl] });
	const job = jobWith();
	purchases.use(job, foundWith(owl));
	expect(memory.get(job.rows[0])?.entry).toBe(owl.entry);
	purchases.letGo(job, owl);

	expect(owl.holder).toBe('failed');
	expect(memory.get(job.rows[0])).toBeUndefined();
});

it('what an attempt bought is adopted by the next one, and by Retry, whose process may not know it', () => {
	const { purchases, journal } = recallingRun();
	const stored = owlOf({ holder: 'failed', execution: 'failed' });
	expect(purchases.adopt(stored, false).holder).toBe('failed');
	const adopted = purchases.adopt(stored, true);

	expect(adopted).toMatchObject({ entry: OWL.entry, holder: '9', execution: 'failed' });
	expect(journal.get(stored)).toBe(adopted);
});

it('a log that is added later gets what this process knows of the node, once it has a result', async () => {
	const listed = owlOf({ entry: 'listed' });
	const { purchases, written } = recallingRun({
		purchases: [
			listed,
			owlOf({ entry: 'new' }),
			owlOf({ entry: 'unclear', result: undefined as never }),
			owlOf({ entry: 'other', node: 'another' }),
		],
		rows: [listed],
	});
	await purchases.catchUp();

	expect(written).toStrictEqual(['written for 7']);
});

it.each([
	['unclear', { kind: 'timeout', message: 'Too late' }, 1],
	['dropped if it was definitely not charged', { kind: 'unreachable', message: 'No' }, 0],
] as const)('a request that failed is %s', (_what, failure, kept) => {
	const { purchases, journal, memory } = recallingRun();
	const job = jobWith();
	purchases.settle(job, purchases.enter(job), { failure }, 'a hash');

	expect(journal.of('a node').filter((each) => !isBought(each))).toHaveLength(kept);
	expect(memory.get(job.rows[0]) === undefined).toBe(kept === 0);
});
