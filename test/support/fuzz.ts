import { randomInt } from 'node:crypto';

const { FUZZ_SEED, FUZZ_PATH, FUZZ_RUNS } = process.env;

/**
 * The seed of all random tests, which have it in their title. `FUZZ_SEED=<seed> npx jest <file>`
 * repeats a test, with `FUZZ_PATH=<path>` only the failing case that fast-check names.
 * `FUZZ_RUNS=<number>` runs that many cases.
 */
export const SEED = FUZZ_SEED === undefined ? randomInt(2 ** 31) : Number(FUZZ_SEED);

/** Settings for fast-check. @param runs number of cases unless FUZZ_RUNS is set */
export function fuzz(runs: number) {
	return {
		seed: SEED,
		numRuns: FUZZ_RUNS === undefined ? runs : Number(FUZZ_RUNS),
		...(FUZZ_PATH !== undefined && { path: FUZZ_PATH }),
	};
}
