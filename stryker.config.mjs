/**
 * Mutation testing: `npm run test:mutation`, or with `-- --mutate <files>` for some of them.
 * The engine's tests run what is built, so the mutants are built too.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	testRunner: 'jest',
	jest: { configFile: 'jest.mutation.config.mjs' },
	buildCommand: 'npm run build',
	mutate: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageAnalysis: 'perTest',
	// What is run when a file is loaded is the description that n8n shows: fields, labels, hints. Each
	// such mutant would take all tests, and other tests compare what is shown.
	ignoreStatic: true,
	plugins: ['@stryker-mutator/jest-runner', './test/mutation/ignoreShown.mjs'],
	ignorers: ['shown'],
	tempDirName: '.cache/stryker',
	ignorePatterns: ['.cache', 'dist', 'output', 'coverage', 'hosts', 'bench', 'scripts', 'test/e2e'],
	reporters: ['clear-text', 'json', 'progress-append-only', 'event-recorder'],
	jsonReporter: { fileName: '.cache/mutation.json' },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	// Keeps what was found when a run is cut off.
	eventReporter: { baseDir: '.cache/mutation-events' },
	concurrency: 2,
	// Machines are busy now and then; a mutant is killed by a test, not by the clock.
	timeoutMS: 30_000,
	timeoutFactor: 2,
	maxTestRunnerReuse: 100,
};
