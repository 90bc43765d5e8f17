import { openEarlierRuns } from '../../nodes/ImageGeneration/buy/openEarlierRuns';
import { jobFor, newNode, resultOf, runOf } from '../support/earlierRuns';

/** The earlier runs of a node, for a manual or a production run. */
function earlierRuns(node: string, mode: 'manual' | 'webhook', isTool = false) {
	const run = runOf({ node });
	return openEarlierRuns({ ...run, context: { ...run.context, getMode: () => mode }, isTool });
}

it('a production run finds nothing that a manual run bought', async () => {
	const node = newNode();
	await earlierRuns(node, 'manual')?.add(jobFor('a fox'), resultOf('bought'));

	expect(await earlierRuns(node, 'manual')?.find(jobFor('a fox'))).toBeDefined();
	expect(await earlierRuns(node, 'webhook')?.find(jobFor('a fox'))).toBeUndefined();
});

it.each(['manual', 'webhook'] as const)(
	'an agent’s tool has no earlier runs in mode %s, because an agent repeats requests on purpose',
	(mode) => {
		expect(earlierRuns(newNode(), mode, true)).toBeUndefined();
	},
);
