import type { IExecuteFunctions } from 'n8n-workflow';
import { startsOver } from '../../nodes/ImageGeneration/execution';

/** An execution of which n8n has stored this as it began. */
function storing(mode: string, data: () => Promise<unknown>): IExecuteFunctions {
	const context: Partial<Record<keyof IExecuteFunctions, unknown>> = {
		getMode: () => mode,
		getExecutionDataById: data,
	};
	return context as unknown as IExecuteFunctions;
}

/** Of an execution that goes on with one node. @param source what ran before it */
const stored = (source: unknown) => async () =>
	await Promise.resolve({ executionData: { nodeExecutionStack: [{ source }] } });

const afterANode = { main: [{ previousNode: 'Split Out' }] };

describe('Retry', () => {
	it.each([
		['starts over at a trigger', 'retry', stored(null), true],
		['goes on at the node that failed', 'retry', stored(afterANode), false],
		['is not told by the trigger of another execution', 'webhook', stored(null), false],
		[
			'counts as going on if n8n has stored nothing',
			'retry',
			async () => await Promise.resolve(undefined),
			false,
		],
		[
			'counts as going on if n8n can not say',
			'retry',
			async () => await Promise.reject(new Error('The database is away.')),
			false,
		],
	])('%s', async (_title, mode, data, isOver) => {
		expect(await startsOver(storing(mode, data), '7')).toBe(isOver);
	});
});
