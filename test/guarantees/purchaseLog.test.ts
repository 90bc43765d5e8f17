import fc from 'fast-check';

import { fuzz, SEED } from '../support/fuzz';
import { LogSimulation, type RunPlan, type Schedule } from './logSimulation';
import { logViolations } from './logViolations';

const run: fc.Arbitrary<RunPlan> = fc.record({
	process: fc.integer({ min: 0, max: 3 }),
	at: fc.integer({ min: 0, max: 40_000 }),
	kind: fc.constantFrom('new' as const, 'new' as const, 'same' as const, 'retry' as const),
	of: fc.nat(7),
	requests: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 12 }),
	concurrency: fc.integer({ min: 1, max: 3 }),
	reuse: fc.constantFrom('never' as const, 'never' as const, 'always' as const),
	stopAfter: fc.option(fc.integer({ min: 0, max: 12_000 }), { nil: undefined, freq: 3 }),
	failing: fc.constantFrom(0 as const, 1 as const, 2 as const),
	tries: fc.constantFrom(1 as const, 1 as const, 2 as const),
	rounds: fc.constantFrom(1 as const, 1 as const, 2 as const),
	stores: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
});

const schedule: fc.Arbitrary<Schedule> = fc.record({
	seed: fc.integer(),
	clocks: fc.array(
		fc.record({
			offset: fc.integer({ min: -1e8, max: 1e8 }),
			speed: fc.constantFrom(0.98, 1, 1.02),
		}),
		{ minLength: 1, maxLength: 4 },
	),
	runs: fc.array(run, { minLength: 2, maxLength: 8 }),
	kills: fc.array(
		fc.record({ process: fc.nat(3), afterEvents: fc.integer({ min: 0, max: 400 }) }),
		{ maxLength: 4 },
	),
	failures: fc.constantFrom(0, 0, 0.1, 0.3),
	repeats: fc.boolean(),
	latency: fc.constantFrom(5, 50, 400),
});

describe(`the Purchase Log, simulated with processes that die and clocks that differ (seed ${SEED})`, () => {
	it('charges an image once or tells that it is unclear, and delivers it to one run', async () => {
		await fc.assert(
			fc.asyncProperty(schedule, async (given) => {
				const world = new LogSimulation(given);
				await world.run();

				expect(logViolations(world)).toEqual([]);
			}),
			// Shrinking a schedule takes minutes.
			{ ...fuzz(2000), endOnFailure: true },
		);
	}, 600_000);
});
