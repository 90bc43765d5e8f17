import type { IExecuteFunctions, INode } from 'n8n-workflow';

import {
	abandon,
	beginAttempt,
	thisProcess,
} from '../../nodes/ImageGeneration/recall/recordingRun';

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
		thisProcess.live.set(first.run, new AbortController().signal);
		abandon(first);
		expect(thisProcess.live.has(first.run)).toBe(true);

		const last = beginAttempt(context, '0', false);
		expect(last.run).toBe(first.run);
		abandon(last);
		expect(thisProcess.live.has(last.run)).toBe(false);
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
