import fc from 'fast-check';

import { findText } from '../support/findText';
import { fuzz, SEED } from '../support/fuzz';
import { useSandboxPool } from '../support/sandboxPool';
import { runBatch, supportedShape } from './batch';
import { KEY, OPERATIONS } from './cases';
import { violations } from './evidence';
import { randomFaults } from './randomFaults';

const pool = useSandboxPool(1, { apiKey: KEY, allowance: 1_000_000, echoImages: true });

const batch = fc.record({
	operation: fc.constantFrom(...OPERATIONS),
	count: fc.integer({ min: 1, max: 4 }),
	requested: fc.record({
		images: fc.integer({ min: 1, max: 3 }),
		copies: fc.integer({ min: 1, max: 3 }),
	}),
	concurrency: fc.integer({ min: 1, max: 8 }),
	// A retry waits for a second, so most batches have none.
	maxRetries: fc.constantFrom(0, 0, 0, 0, 1),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	retryOnFail: fc.boolean(),
	maxTries: fc.integer({ min: 2, max: 4 }),
	rules: randomFaults(6),
});

describe(`random faults on random batches (seed ${SEED})`, () => {
	let number = 0;

	it('deliver or report every charge, and charge nothing twice', async () => {
		await fc.assert(
			fc.asyncProperty(batch, async (one) => {
				const { count, requested, operation, concurrency, maxRetries, rules, ...node } = one;
				number++;
				const names = Array.from({ length: count }, (_, item) => `Item ${item} of ${number}.`);
				const evidence = await pool.take(
					async (sandbox) =>
						await runBatch(pool.engine, sandbox, {
							names,
							shape: supportedShape(operation, requested),
							parameters: { operation, options: { concurrency, maxRetries } },
							faults: rules,
							node: { ...node, waitBetweenTries: 1 },
						}),
				);

				expect(violations(evidence)).toEqual([]);
				expect(findText(evidence.result, KEY)).toEqual([]);
			}),
			fuzz(200),
		);
	}, 600_000);
});
