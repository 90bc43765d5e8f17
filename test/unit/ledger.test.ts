import type { IExecuteFunctions } from 'n8n-workflow';

import { openLedger } from '../../nodes/ImageGeneration/buy/ledger';

const JOB = { key: 'a job' };
const OTHER = { key: 'another job' };
const RESULT = { id: 'an-id', output_url: 'https://example.com/a.jpg' };

/** An attempt's ledger; Retry On Fail is on by default. */
function attempt(store: object, { retryOnFail = true } = {}) {
	const context = { getNode: () => ({ retryOnFail }), getContext: () => store };
	return openLedger(context as unknown as IExecuteFunctions);
}

/** The execution's data as n8n stores it and Retry in the list of executions reads it. */
const stored = (store: object) => JSON.parse(JSON.stringify(store)) as object;

describe('an earlier attempt’s purchase', () => {
	it('is found by the next attempt', () => {
		const store = {};
		attempt(store).add(JOB, { value: RESULT });

		expect(attempt(store).find(JOB)).toEqual({ value: RESULT });
	});

	it.each([true, false])(
		'is found by Retry in the list of executions, with Retry On Fail %s',
		(retryOnFail) => {
			const store = {};
			attempt(store, { retryOnFail }).add(JOB, { value: RESULT });

			expect(attempt(stored(store), { retryOnFail }).find(JOB)).toEqual({ value: RESULT });
		},
	);

	it('is not used for another job', () => {
		const store = {};
		attempt(store).add(JOB, { value: RESULT });
		attempt(store).add({ key: 'cut' }, { failure: 'Cut off' });

		expect(attempt(store).find(OTHER)).toBeUndefined();
		expect(attempt({}).find(JOB)).toBeUndefined();
	});

	it('stays when other jobs are added', () => {
		const ledger = attempt({});
		ledger.add({ key: '0' }, { value: RESULT });
		ledger.add({ key: '1' }, { value: { ...RESULT, id: 'another' } });
		ledger.add({ key: '2' }, { failure: 'Cut off' });
		ledger.add({ key: '3' }, { failure: undefined });

		expect(['0', '1', '2', '3'].map((key) => ledger.find({ key }))).toEqual([
			{ value: RESULT },
			{ value: { ...RESULT, id: 'another' } },
			{ failure: 'Cut off' },
			{ failure: undefined },
		]);
	});

	it('is forgotten once everything is delivered', () => {
		const store = {};
		attempt(store).add(JOB, { value: RESULT });
		attempt(store).clear();

		expect(store).toEqual({});
		expect(attempt(store).isEmpty()).toBe(true);
	});

	it.each([[{ value: RESULT }], [{ failure: 'Cut off' }]])(
		'makes the ledger non-empty: %j',
		(outcome) => {
			const ledger = attempt({});
			expect(ledger.isEmpty()).toBe(true);
			ledger.add(JOB, outcome);

			expect(ledger.isEmpty()).toBe(false);
		},
	);

	it.each([
		[undefined],
		['text'],
		[[RESULT]],
		[null],
		[{ 'a job': 'text' }],
		[{ 'a job': { id: 'an-id' } }],
		[{ 'a job': { id: 'an-id', output_url: 'nowhere' } }],
	])('is ignored if the execution’s data holds %j', (finishedJobs) => {
		const store = { finishedJobs };

		expect(attempt(store).find(JOB)).toBeUndefined();
		attempt(store).add(JOB, { value: RESULT });
		expect(attempt(store).find(JOB)).toEqual({ value: RESULT });
	});

	it('is not confused with properties that every object has', () => {
		const store = {};
		attempt(store).add(JOB, { value: RESULT });

		expect(attempt(store).find({ key: 'constructor' })).toBeUndefined();
	});
});

describe('a failure that may have been charged', () => {
	it('is found by the attempts of Retry On Fail and is not stored with the execution', () => {
		const store = {};
		attempt(store).add(JOB, { failure: 'Cut off' });

		expect(attempt(store).find(JOB)).toEqual({ failure: 'Cut off' });
		expect(store).toEqual({});
		expect(attempt(stored(store)).find(JOB)).toBeUndefined();
	});

	it('is not kept without Retry On Fail, because running again is then deliberate', () => {
		const store = {};
		attempt(store, { retryOnFail: false }).add(JOB, { failure: 'Cut off' });

		expect(attempt(store, { retryOnFail: false }).find(JOB)).toBeUndefined();
		expect(attempt(store).isEmpty()).toBe(true);
	});
});

describe('a stored image', () => {
	const image = { data: '', mimeType: 'image/png', id: 'an-image' };

	it('is found by the attempts of Retry On Fail and is not stored with the execution', () => {
		const store = {};
		attempt(store).addImage(JOB, image);

		expect(attempt(store).findImage(JOB)).toBe(image);
		expect(attempt(store).findImage(OTHER)).toBeUndefined();
		expect(store).toEqual({});
		expect(attempt(stored(store)).findImage(JOB)).toBeUndefined();
	});

	it('is forgotten once everything is delivered', () => {
		const store = {};
		attempt(store).addImage(JOB, image);
		attempt(store).clear();

		expect(attempt(store).findImage(JOB)).toBeUndefined();
	});

	it('is not kept without Retry On Fail', () => {
		const store = {};
		attempt(store, { retryOnFail: false }).addImage(JOB, image);

		expect(attempt(store, { retryOnFail: false }).findImage(JOB)).toBeUndefined();
	});
});
