import fc from 'fast-check';

import { fuzz, SEED } from '../support/fuzz';
import { schedule } from './logSchedule';
import { LogSimulation } from './logSimulation';
import { logViolations } from './logViolations';

describe(`the Purchase Log, simulated with processes that die or freeze and clocks that differ (seed ${SEED})`, () => {
	it('charges an image once or tells that it is unclear, and delivers it to one run', async () => {
		let delivered = 0;
		let takenOver = 0;
		await fc.assert(
			fc.asyncProperty(schedule, async (given) => {
				const world = new LogSimulation(given);
				await world.run();
				delivered += world.runs.flatMap(({ output }) => output).length;
				takenOver += world.table.taken.length;

				expect(logViolations(world)).toStrictEqual([]);
			}),
			// Shrinking a schedule takes minutes.
			{ ...fuzz(2000), endOnFailure: true },
		);
		// A run that throws counts as one whose table does not answer.
		expect(delivered).toBeGreaterThan(0);
		expect(takenOver).toBeGreaterThan(0);
	}, 3_600_000);
});
