import type { IExecuteFunctions, INode } from 'n8n-workflow';

import {
	abandon,
	beginAttempt,
	countsAsFailure,
	process,
} from '../../nodes/ImageGeneration/recall/attempt';

const n8n2 = { executeAgent: undefined } as unknown as Partial<IExecuteFunctions>;

it.each([
	[undefined, false, false],
	[null, false, true],
	[false, false, true],
	['', true, true],
	['No', true, true],
])(
	'output whose first item has the error %p counts as a failure in n8n 2: %s, and 1: %s',
	(error, in2, in1) => {
		const items = [{ json: { error } }, { json: {} }];

		expect(countsAsFailure(n8n2, items)).toBe(in2);
		expect(countsAsFailure({}, items)).toBe(in1);
	},
);

it('output without items, or with an error in a later one, is no failure', () => {
	expect(countsAsFailure({}, [])).toBe(false);
	expect(countsAsFailure({}, [{ json: {} }, { json: { error: 'No' } }])).toBe(false);
});

describe('an attempt that fails before it can end', () => {
	const contextOf = (node: Partial<INode>, store = {}) =>
		({
			getContext: () => store,
			getExecutionId: () => '1',
			getNode: () => node,
		}) as unknown as IExecuteFunctions;

	it('leaves what was bought to the next run if no other attempt follows', () => {
		const context = contextOf({ retryOnFail: true, maxTries: 2 });
		const first = beginAttempt(context, '0', false);
		process.live.set(first.run, undefined);
		abandon(first);
		expect(process.live.has(first.run)).toBe(true);

		const last = beginAttempt(context, '0', false);
		expect(last.run).toBe(first.run);
		abandon(last);
		expect(process.live.has(last.run)).toBe(false);
	});

	it('counts as one of its run, apart from other runs and an agent’s parallel calls', () => {
		const store = {};
		const node = { retryOnFail: true, maxTries: 2 };
		const begun = (name: string, isTool = false) =>
			beginAttempt(contextOf(node, store), name, isTool);

		expect(begun('0').isRepeated).toBe(true);
		expect(begun('1').isRepeated).toBe(true);
		expect(begun('0').isRepeated).toBe(false);
		expect(begun('tool', true).run).not.toBe(begun('tool', true).run);
		expect(begun('tool', true).isRepeated).toBe(true);
		expect(beginAttempt(contextOf({}), '0', false).isRepeated).toBe(false);
	});
});
