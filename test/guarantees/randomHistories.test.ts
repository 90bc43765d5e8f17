import fc from 'fast-check';

import { findText } from '../support/findText';
import { useFixture } from '../support/fixture';
import { fuzz, SEED } from '../support/fuzz';
import { KEY } from './cases';
import { history, runHistory } from './history';
import { historyViolations } from './historyViolations';

const fixture = useFixture({ apiKey: KEY, allowance: 1_000_000, echoImages: true });

describe(`random runs, stops, retries, loops, waits, edits and faults (seed ${SEED})`, () => {
	let number = 0;

	it('never buy anything twice, exceed Max Images or lose a purchase', async () => {
		await fc.assert(
			fc.asyncProperty(history, async (given) => {
				const one = { ...given, name: `History ${++number}` };
				const evidence = await runHistory(fixture.engine, fixture.sandbox, one);

				expect(historyViolations(one, evidence)).toStrictEqual([]);
				expect(findText(evidence, KEY)).toStrictEqual([]);
			}),
			fuzz(150),
		);
	}, 600_000);
});
