import type { IExecuteFunctions } from 'n8n-workflow';

import { thisProcess } from '../../nodes/ImageGeneration/recall/leases';
import { abandon, beginAttempt } from '../../nodes/ImageGeneration/recall/recordingRun';

const contextOf = (node: object, store = {}) =>
	({
		getContext: () => store,
		getExecutionId: () => '1',
		getNode: () => node,
	}) as unknown as IExecuteFunctions;

// As n8n counts them (2.40.3, 1.123.81).
it.each([
	[undefined, 3],
	[0, 3],
	[1, 2],
	[4, 4],
	[9, 5],
])('with Max Tries %s, attempt %i is the last one', (maxTries, last) => {
	const context = contextOf({ retryOnFail: true, maxTries });
	const attempts = Array.from({ length: last }, () => {
		return beginAttempt(context, '0', false).attemptsLeft > 0;
	});

	expect(attempts).toStrictEqual([...Array<boolean>(last - 1).fill(true), false]);
});

it('an attempt that fails before it can end leaves what was bought to the next run, unless another attempt follows', () => {
	const context = contextOf({ retryOnFail: true, maxTries: 2 });
	const first = beginAttempt(context, '0', false);
	thisProcess.live.set(first.name, new AbortController().signal);
	abandon(first);
	expect(thisProcess.live.has(first.name)).toBe(true);

	const last = beginAttempt(context, '0', false);
	expect(last.name).toBe(first.name);
	abandon(last);
	expect(thisProcess.live.has(last.name)).toBe(false);
});

it('an attempt counts for its run, apart from other runs and an agent’s parallel calls', () => {
	const store = {};
	const node = { retryOnFail: true, maxTries: 2 };
	const begun = (name: string, isTool = false) =>
		beginAttempt(contextOf(node, store), name, isTool);

	expect(begun('0').attemptsLeft).toBe(1);
	expect(begun('1').attemptsLeft).toBe(1);
	expect(begun('0').attemptsLeft).toBe(0);
	expect(begun('tool', true).name).not.toBe(begun('tool', true).name);
	expect(begun('tool', true).attemptsLeft).toBe(Infinity);
	expect(beginAttempt(contextOf({}), '0', false).attemptsLeft).toBe(0);
});
