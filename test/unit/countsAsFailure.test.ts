import type { IExecuteFunctions } from 'n8n-workflow';

import { countsAsFailure } from '../../nodes/ImageGeneration/run/endAttempt';

const n8n1 = {} as IExecuteFunctions;
const n8n2 = { executeAgent: undefined } as unknown as IExecuteFunctions;

it.each([
	[undefined, false, false],
	[null, false, true],
	[false, false, true],
	['', true, true],
	['No', true, true],
])('a first item with the error %p is a failure in n8n 2: %s, and 1: %s', (error, in2, in1) => {
	const items = [{ json: { error } }, { json: {} }];

	expect(countsAsFailure(n8n2, items)).toBe(in2);
	expect(countsAsFailure(n8n1, items)).toBe(in1);
});

it('output without items, or with an error in a later one, is no failure', () => {
	expect(countsAsFailure(n8n1, [])).toBe(false);
	expect(countsAsFailure(n8n1, [{ json: {} }, { json: { error: 'No' } }])).toBe(false);
});
