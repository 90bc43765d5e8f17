import fc from 'fast-check';

import { fuzz, SEED } from '../support/fuzz';
import { LogSimulation, schedule } from './logSimulation';
import { logViolations } from './logViolations';

describe(`the Purchase Log, simulated with processes that die and clocks that differ (seed ${SEED})`, () => {
	it('charges an image once or tells that it is unclear, and delivers it to one run', async () => {
		await fc.assert(
			fc.asyncProperty(schedule, async (given) => {
				const world = new LogSimulation(given);
				await world.run();

				expect(logViolations(world)).toStrictEqual([]);
			}),
			// Shrinking a schedule takes minutes.
			{ ...fuzz(2000), endOnFailure: true },
		);
	}, 600_000);
});
