import { randomInt } from 'node:crypto';

const { FUZZ_SEED, FUZZ_PATH, FUZZ_RUNS } = process.env;

/**
 * The seed of all random tests of this run; every such test has it in its title. To replay one:
 * FUZZ_SEED=<seed> npx jest <file>, with FUZZ_PATH=<path> for the very case that a failure names.
 * FUZZ_RUNS=<number> makes that many cases.
 */
export const SEED = FUZZ_SEED === undefined ? randomInt(2 ** 31) : Number(FUZZ_SEED);

/** How fast-check is to run a test. @param runs unless FUZZ_RUNS says otherwise */
export function fuzz(runs: number) {
	return {
		seed: SEED,
		numRuns: FUZZ_RUNS === undefined ? runs : Number(FUZZ_RUNS),
		...(FUZZ_PATH !== undefined && { path: FUZZ_PATH }),
	};
}
