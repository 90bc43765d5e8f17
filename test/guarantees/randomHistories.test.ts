import fc from 'fast-check';

import { findText } from '../support/findText';
import { fuzz, SEED } from '../support/fuzz';
import { useSandboxPool } from '../support/sandboxPool';
import { KEY } from './cases';
import { history, runHistory } from './history';
import { historyViolations } from './historyViolations';

const pool = useSandboxPool(1, { apiKey: KEY, allowance: 1_000_000, echoImages: true });

describe(`random runs, stops, retries, loops, waits, edits and faults (seed ${SEED})`, () => {
	let number = 0;

	it('never buy anything twice, exceed Max Images or lose a purchase', async () => {
		await fc.assert(
			fc.asyncProperty(history, async (given) => {
				const one = { ...given, name: `History ${++number}` };
				const evidence = await pool.take(
					async (sandbox) => await runHistory(pool.engine, sandbox, one),
				);

				expect(historyViolations(one, evidence)).toStrictEqual([]);
				expect(findText(evidence, KEY)).toStrictEqual([]);
			}),
			fuzz(150),
		);
	}, 600_000);
});
