import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const jestRun = { numPassedTests: 5, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
let folder: string;

beforeAll(() => {
	mkdirSync(join(root, '.cache'), { recursive: true });
	folder = mkdtempSync(join(root, '.cache', 'ci-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes results of end-to-end tests and of jestRun, and returns what `.ci/run` prints last. */
function summaryOf(exitCode: number, ...results: (object | undefined)[]): string {
	const files = results.map((result, index) => {
		const file = join(folder, `${index}.json`);
		rmSync(file, { force: true });
		if (result) writeFileSync(file, JSON.stringify(result));
		return file;
	});
	const script = join(root, 'scripts', 'ciSummary.mjs');
	return spawnSync(process.execPath, [script, `${exitCode}`, ...files], { encoding: 'utf8' })
		.stdout;
}

it.each<[string, number, (object | undefined)[], string]>([
	['all tests', 0, [{ passed: 3, failed: 0 }, jestRun, jestRun], '13 passed, 0 failed\n'],
	[
		'failing tests of both kinds',
		1,
		[
			{ passed: 1, failed: 2 },
			{ ...jestRun, numFailedTests: 1 },
		],
		'6 passed, 3 failed\n',
	],
	[
		'a test file that does not load',
		1,
		[undefined, { ...jestRun, numRuntimeErrorTestSuites: 1 }],
		'5 passed, 1 failed\n',
	],
	[
		'a step that fails without a test',
		2,
		[{ passed: 3, failed: 0 }, jestRun],
		'8 passed, 1 failed\n',
	],
	['no results at all', 1, [undefined, undefined], '0 passed, 1 failed\n'],
	[
		'skipped tests',
		0,
		[undefined, { ...jestRun, numPendingTests: 1, numTodoTests: 1 }],
		'5 passed, 0 failed, 2 skipped\n',
	],
])('the last line of .ci/run counts %s', (_what, exitCode, results, line) => {
	expect(summaryOf(exitCode, ...results)).toBe(line);
});
