/**
 * `node scripts/ciSummary.mjs <exit code> <results> …` prints the last line of `.ci/run`: how many tests
 * passed and failed, from the files that jest and the end-to-end tests wrote. No runner counts them all, and whoever
 * starts `.ci/run` reads that line.
 */
import { existsSync, readFileSync } from 'node:fs';

const [, , exitCode = '0', ...files] = process.argv;
let passed = 0;
let failed = 0;
// A step that ended early wrote none.
for (const file of files.filter((name) => existsSync(name))) {
	/** @type {unknown} */
	const parsed = JSON.parse(readFileSync(file, 'utf8'));
	const results = /** @type {Partial<Record<string, number>>} */ (parsed);
	passed += results.numPassedTests ?? 0;
	// A test file that does not load has no tests, so it counts itself.
	failed += (results.numFailedTests ?? 0) + (results.numRuntimeErrorTestSuites ?? 0);
}
// A step that fails without a failing test counts as one failure.
if (exitCode !== '0') failed = Math.max(1, failed);
console.log(`${passed} passed, ${failed} failed`);
