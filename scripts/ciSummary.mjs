/**
 * `node scripts/ciSummary.mjs <exit code> <end-to-end results> <jest results> …` prints the last line
 * of `.ci/run`: how many tests passed and failed. It uses no packages, because none may be installed.
 */
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

const [, , exitCode = '0', endToEnd = '', ...jestFiles] = process.argv;
const total = [ofEndToEnd(endToEnd), ...jestFiles.map(ofJest)].reduce(add);
// A step that fails without a failing test counts as one failure.
if (exitCode !== '0') total.failed = Math.max(1, total.failed);
const skipped = total.skipped === 0 ? '' : `, ${total.skipped} skipped`;
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);

/** @param {string} file @returns {Counts} */
function ofEndToEnd(file) {
	const { passed = 0, failed = 0 } = read(file);
	return { passed, failed, skipped: 0 };
}

/** @param {string} file @returns {Counts} */
function ofJest(file) {
	const results = read(file);
	return {
		passed: results.numPassedTests ?? 0,
		// A test file that does not load has no tests, so it counts itself.
		failed: (results.numFailedTests ?? 0) + (results.numRuntimeErrorTestSuites ?? 0),
		skipped: (results.numPendingTests ?? 0) + (results.numTodoTests ?? 0),
	};
}

/** @param {Counts} one @param {Counts} other @returns {Counts} */
function add(one, other) {
	return {
		passed: one.passed + other.passed,
		failed: one.failed + other.failed,
		skipped: one.skipped + other.skipped,
	};
}

/** @param {string} file @returns {Partial<Record<string, number>>} */
function read(file) {
	try {
		/** @type {unknown} */
		const results = JSON.parse(readFileSync(file, 'utf8'));
		return /** @type {Partial<Record<string, number>>} */ (results);
	} catch {
		// The step ended before it had written the file.
		return {};
	}
}
