import fc from 'fast-check';

import type { FaultName } from '../../sandbox';
import { fuzz, SEED } from '../support/fuzz';
import { useSandboxPool } from '../support/sandboxPool';
import { runBatch } from './batch';
import { KEY, OPERATIONS, phasesOf, ruleOf } from './cases';
import { violations } from './evidence';

const pool = useSandboxPool(2, { apiKey: KEY, allowance: 1_000_000, echoImages: true });

const FAULTS: FaultName[] = [
	'reset-before',
	'reset-after',
	'5xx-before',
	'5xx-after',
	'rate-limit',
	'download-404',
	'download-rate-limit',
];
const rule = fc
	.constantFrom(...FAULTS.flatMap((fault) => phasesOf(fault).map((phase) => ({ fault, phase }))))
	.chain((where) =>
		fc.nat(15).map((after) => ({ ...ruleOf({ ...where, lasting: false }), after })),
	);

const batch = fc.record({
	operation: fc.constantFrom(...OPERATIONS),
	concurrency: fc.constantFrom(3, 15),
	maxRetries: fc.constantFrom(0, 1, 3),
	retryUnclearOutcome: fc.constant(false),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	retryOnFail: fc.boolean(),
	calls: fc.integer({ min: 5, max: 20 }),
	retryAfter: fc.boolean(),
	rules: fc.array(rule, { maxLength: 6 }),
});

it(`a rate limit mixed with other faults buys nothing twice and loses nothing (seed ${SEED})`, async () => {
	let number = 0;
	await fc.assert(
		fc.asyncProperty(batch, async (one) => {
			const { operation, calls, retryAfter, rules, onError, retryOnFail, ...options } = one;
			number++;
			const names = Array.from({ length: 15 }, (_, item) => `Item ${item} of ${number}.`);
			const evidence = await pool.take(async (sandbox) => {
				sandbox.limitRate({ calls, seconds: 1, retryAfter });
				try {
					return await runBatch(pool.engine, sandbox, {
						names,
						parameters: { operation, options },
						faults: rules,
						node: { onError, retryOnFail, maxTries: 2, waitBetweenTries: 1 },
					});
				} finally {
					sandbox.limitRate(undefined);
				}
			});

			expect(violations(evidence)).toEqual([]);
		}),
		fuzz(20),
	);
}, 600_000);
