import fc from 'fast-check';

import { findText } from '../support/findText';
import { fuzz, SEED } from '../support/fuzz';
import { useSandboxPool } from '../support/sandboxPool';
import { KEY, OPERATIONS } from './cases';
import { runHistory, type History, type Step } from './history';
import { historyViolations } from './historyViolations';
import { randomFault } from './randomFault';

const pool = useSandboxPool(1, { apiKey: KEY, allowance: 1_000_000, echoImages: true });

const step: fc.Arbitrary<Step> = fc.record({
	how: fc.constantFrom('run' as const, 'retry' as const, 'retry' as const),
	change: fc.constantFrom('nothing' as const, 'prompt' as const, 'settings' as const),
	mode: fc.constantFrom('manual' as const, 'trigger' as const),
	stopAfter: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 2 }),
	wait: fc.constantFrom(0, 0, 1, 25),
	reuse: fc.boolean(),
	faults: fc.array(randomFault(), { maxLength: 3 }),
});
const history: fc.Arbitrary<Omit<History, 'name'>> = fc.record({
	operation: fc.constantFrom(...OPERATIONS),
	rounds: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
	node: fc.record({
		onError: fc.constantFrom(
			'stopWorkflow' as const,
			'stopWorkflow' as const,
			'continueRegularOutput' as const,
		),
		retryOnFail: fc.boolean(),
		maxTries: fc.integer({ min: 2, max: 3 }),
		waitBetweenTries: fc.constant(1),
	}),
	maxImages: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
	steps: fc.array(step, { minLength: 2, maxLength: 5 }),
});

describe(`random runs, stops, retries, loops, waits, edits and faults (seed ${SEED})`, () => {
	let number = 0;

	it('never buy anything twice, exceed Max Images or lose a purchase', async () => {
		await fc.assert(
			fc.asyncProperty(history, async (given) => {
				const one = { ...given, name: `History ${++number}` };
				const evidence = await pool.take(
					async (sandbox) => await runHistory(pool.engine, sandbox, one),
				);

				expect(historyViolations(one, evidence)).toEqual([]);
				expect(findText(evidence, KEY)).toEqual([]);
			}),
			fuzz(150),
		);
	}, 600_000);
});
