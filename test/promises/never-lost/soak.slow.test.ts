import fc from 'fast-check';

import type { FaultName, Sandbox } from '../../../sandbox';
import { FAULT_CASES, HANGING, KEY, ruleOf } from '../../support/cases';
import { collectGarbage } from '../../support/collectGarbage';
import { runBatch } from '../../support/evidence';
import { useFixture } from '../../support/fixture';
import { SEED } from '../../support/fuzz';

const ITEMS = Number(process.env.SOAK_ITEMS ?? 1000);
const FAULTS = ITEMS * 0.05;

const fixture = useFixture({ apiKey: KEY, allowance: 1_000_000, echoImages: true });

// The fault matrix covers those that take long.
const SLOW: FaultName[] = [...HANGING.slice(2), 'redirect-loop'];
const places = FAULT_CASES.filter(({ fault }) => !SLOW.includes(fault));

/** A fault of one request. */
const randomFault = fc
	.record({ place: fc.constantFrom(...places), after: fc.nat(ITEMS - 1) })
	.map(({ place, after }) => ({ ...ruleOf(place), after }));

/** Records the heap in bytes each time another eighth of the items is charged. */
function watch(sandbox: Sandbox) {
	const heap: number[] = [];
	const timer = setInterval(() => {
		if (sandbox.ledger.length < (heap.length * ITEMS) / 8) return;
		collectGarbage();
		heap.push(process.memoryUsage().heapUsed);
	}, 50);
	return { heap, stop: () => clearInterval(timer) };
}

it(`a run of ${ITEMS} items with ${FAULTS} faults and a rate limit loses nothing, buys nothing twice and keeps memory flat (seed ${SEED})`, async () => {
	fixture.sandbox.limitRate({ calls: 100, seconds: 1 });
	const { heap, stop } = watch(fixture.sandbox);
	const { findings } = await runBatch(fixture.engine, fixture.sandbox, {
		titles: Array.from({ length: ITEMS }, (_, item) => `Item ${item}.`),
		operation: 'generate',
		options: { concurrency: 50, timeout: 30 },
		faults: fc.sample(randomFault, { seed: SEED, numRuns: FAULTS }),
		node: { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2 },
	});
	stop();

	expect(findings).toStrictEqual([]);
	expect(heap.length).toBeGreaterThan(4);
	// Output items, ledger and requests grow with the number of items; images would need a hundred
	// times as much.
	expect((heap.at(-1) ?? Infinity) - (heap[1] ?? 0)).toBeLessThan(50 * 1024 ** 2);
}, 600_000);
