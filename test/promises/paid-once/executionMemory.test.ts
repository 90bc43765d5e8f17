import type { INodeParameters } from 'n8n-workflow';

import type { Failure } from '../../../nodes/ImageGeneration/failures/failures';
import { planAll } from '../../../nodes/ImageGeneration/plan/planAll';
import type { PlannedRow } from '../../../nodes/ImageGeneration/plan/planItem';
import {
	ExecutionMemory,
	type StoredPurchase,
} from '../../../nodes/ImageGeneration/recall/executionMemory';
import { resultOf, rowWith } from '../../support/jobs';
import { images } from '../../support/planImages';
import { planningRun } from '../../support/planningRun';
import { purchaseWith } from '../../support/purchaseWith';

describe('what an execution has', () => {
	const [one, other] = [rowWith({ key: 'one' }), rowWith({ key: 'other' })];
	const context: { purchases?: Record<string, StoredPurchase> } = {};
	const memory = new ExecutionMemory(context as never);

	beforeEach(() => {
		delete context.purchases;
	});

	it('is known by place, for all rows that got one image, and without the account', () => {
		memory.set([one, other], purchaseWith({ entry: 'e', accounts: ['a key'], instruction: 'x' }));

		expect([one, other].map((row) => memory.get(row)?.entry)).toStrictEqual(['e', 'e']);
		expect(memory.get(rowWith({ key: 'third' }))).toBeUndefined();
		expect(JSON.stringify(context)).not.toMatch(/a key|instruction|accounts/);
	});

	it('may lack its result, and then has the reason, in the service’s own words', () => {
		const failure: Failure = { kind: 'rejection', status: 500, serviceMessage: 'No foxes' };
		memory.set([one], purchaseWith({ result: undefined }), failure);
		expect(memory.get(one)).toMatchObject({ result: undefined, failure });
		memory.set([one], purchaseWith({ result: resultOf('fox') }));

		expect(memory.get(one)).toMatchObject({ result: resultOf('fox') });
		expect(memory.get(one)).not.toHaveProperty('failure');
	});

	it('is forgotten row by row, and leaves nothing in n8n’s data', () => {
		memory.set([one], purchaseWith({ entry: 'one' }));
		memory.set([other], purchaseWith({ entry: 'other' }));
		memory.forget([one]);
		expect([memory.get(one), memory.get(other)?.entry]).toStrictEqual([undefined, 'other']);
		memory.forget([other]);

		expect(context).not.toHaveProperty('purchases');
	});
});

describe('a row’s place', () => {
	const EDIT = {
		operation: 'edit',
		inputType: 'binary',
		binaryPropertyName: 'one, two',
		prompt: '={{ $now }}',
		download: true,
		version: 'standard',
		options: { numberOfImages: 2 },
	};

	/** The places of an item's rows, with these values of parameters and these expressions. */
	async function places(
		{ options = {}, ...more }: Record<string, unknown> = {},
		{ runName = '0', written = {} }: { runName?: string; written?: object } = {},
	): Promise<string[]> {
		const parameters = { ...EDIT, ...more, options: { ...EDIT.options, ...(options as object) } };
		const run = planningRun({
			parameters,
			items: [{ json: {}, binary: images('one', 'two', 'x') }],
		});
		const node = {
			...run.node,
			parameters: { ...(parameters as INodeParameters), prompt: EDIT.prompt, ...written },
		};
		const planned = await planAll({ ...run, node, runName }, new AbortController().signal);
		return planned.map((each) => (each as PlannedRow).row.key);
	}

	it('is another one for each image and copy', async () => {
		const keys = await places({ prompt: 'At noon' });

		expect(new Set(keys).size).toBe(4);
	});

	it.each<[what: string, values: Record<string, unknown>]>([
		['what an expression returns, such as $now', { prompt: 'A second later' }],
		['Timeout', { options: { timeout: 3600 } }],
		['Max Images', { options: { maxImages: 50 } }],
		['File Name', { options: { fileName: 'fox' } }],
		['Download', { download: false }],
		['a field of another operation', { size: 'wide' }],
	])('is the same with another value of %s', async (_what, values) => {
		expect(await places(values)).toStrictEqual(await places({ prompt: 'At noon' }));
	});

	it.each<[what: string, values: Record<string, unknown>, more?: object]>([
		['edited instruction', { prompt: 'Rotate it' }, { written: { prompt: 'Rotate it' } }],
		['edited expression', {}, { written: { prompt: '={{ $json.title }}' } }],
		['quality', { version: 'genius' }],
		[
			'additional field',
			{ options: { additionalFields: { field: [{ name: 'seed', value: '1' }] } } },
		],
		['source', { binaryPropertyName: 'x, two' }],
		['round', {}, { runName: '1' }],
	])('is another one with another %s', async (_what, values, more = {}) => {
		const before = await places({ prompt: 'At noon' });
		const after = await places({ prompt: 'At noon', ...values }, more);

		expect(after.filter((key) => before.includes(key))).toStrictEqual([]);
	});

	it('is kept by the first copies if their number changes', async () => {
		const more = await places({ options: { numberOfImages: 3 } });

		expect(more).toStrictEqual(expect.arrayContaining(await places()));
	});
});
