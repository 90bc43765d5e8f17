import fc from 'fast-check';

import type { FaultName, RateLimit } from '../../../sandbox';
import { runBatch, supportedShape, type Batch } from '../../support/batch';
import { KEY, OPERATIONS } from '../../support/cases';
import { violations } from '../../support/evidence';
import { findText } from '../../support/findText';
import { fuzz, SEED } from '../../support/fuzz';
import { randomFault } from '../../support/randomFault';
import { useSandboxPool } from '../../support/sandboxPool';

const pool = useSandboxPool(2, { apiKey: KEY, allowance: 1_000_000, echoImages: true });
let number = 0;

/** Runs a batch of so many items and checks what it left behind. */
async function expectSound(
	count: number,
	{ parameters, node, ...batch }: Omit<Batch, 'names'>,
	limit?: RateLimit,
): Promise<void> {
	number++;
	const names = Array.from({ length: count }, (_, item) => `Item ${item} of ${number}.`);
	const evidence = await pool.take(async (sandbox) => {
		sandbox.limitRate(limit);
		try {
			return await runBatch(pool.engine, sandbox, {
				...batch,
				names,
				parameters,
				node: { maxTries: 2, waitBetweenTries: 1, ...node },
			});
		} finally {
			sandbox.limitRate(undefined);
		}
	});

	expect(violations(evidence)).toStrictEqual([]);
	expect(findText(evidence.result, KEY)).toStrictEqual([]);
}

const common = {
	operation: fc.constantFrom(...OPERATIONS),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput'),
	retryOnFail: fc.boolean(),
};

describe(`batches of items deliver or report every charge, and charge nothing twice (seed ${SEED})`, () => {
	it('with random faults, images and copies', async () => {
		const batch = fc.record({
			...common,
			count: fc.integer({ min: 1, max: 4 }),
			requested: fc.record({
				images: fc.integer({ min: 1, max: 3 }),
				copies: fc.integer({ min: 1, max: 3 }),
			}),
			concurrency: fc.integer({ min: 1, max: 8 }),
			maxTries: fc.integer({ min: 2, max: 4 }),
			faults: fc.array(randomFault(), { maxLength: 6 }),
		});
		await fc.assert(
			fc.asyncProperty(batch, async (one) => {
				const { count, requested, operation, concurrency, faults, ...node } = one;
				await expectSound(count, {
					shape: supportedShape(operation, requested),
					parameters: { operation, options: { concurrency } },
					faults,
					node,
				});
			}),
			fuzz(200),
		);
	}, 600_000);

	it('with a rate limit mixed with other faults', async () => {
		const names: FaultName[] = [
			'reset-before',
			'reset-after',
			'5xx-before',
			'5xx-after',
			'rate-limit',
			'download-404',
			'download-rate-limit',
		];
		const batch = fc.record({
			...common,
			concurrency: fc.constantFrom(3, 15),
			limit: fc.record({
				calls: fc.integer({ min: 5, max: 20 }),
				seconds: fc.constant(1),
				retryAfter: fc.boolean(),
			}),
			faults: fc.array(randomFault({ names, after: 15, times: 1 }), { maxLength: 6 }),
		});
		await fc.assert(
			fc.asyncProperty(batch, async (one) => {
				const { operation, concurrency, limit, faults, ...node } = one;
				const parameters = { operation, options: { concurrency } };
				await expectSound(15, { parameters, faults, node }, limit);
			}),
			fuzz(20),
		);
	}, 600_000);
});
