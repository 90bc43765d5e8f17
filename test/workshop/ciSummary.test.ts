import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
let folder: string;

beforeAll(() => {
	mkdirSync(join(root, '.cache'), { recursive: true });
	folder = mkdtempSync(join(root, '.cache', 'ci-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fine = { numPassedTests: 5, numFailedTests: 0 };

it.each<[string, number, object[], string]>([
	['the tests of all steps', 0, [fine, fine], '10 passed, 0 failed\n'],
	['failing tests', 1, [fine, { numPassedTests: 1, numFailedTests: 2 }], '6 passed, 2 failed\n'],
	[
		'a test file that does not load',
		1,
		[{ ...fine, numRuntimeErrorTestSuites: 1 }],
		'5 passed, 1 failed\n',
	],
	['a step that fails without a test', 2, [fine], '5 passed, 1 failed\n'],
	['a step that wrote no results', 1, [], '0 passed, 1 failed\n'],
])('the last line of .ci/run counts %s', (_what, exitCode, results, line) => {
	const files = results.map((result, index) => {
		const file = join(folder, `${index}.json`);
		writeFileSync(file, JSON.stringify(result));
		return file;
	});
	const script = join(root, 'scripts', 'ciSummary.mjs');
	const given = [script, `${exitCode}`, ...files, join(folder, 'none.json')];
	expect(spawnSync(process.execPath, given, { encoding: 'utf8' }).stdout).toBe(line);
});
