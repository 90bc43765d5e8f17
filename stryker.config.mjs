import { engine } from './jest.config.mjs';

/**
 * Mutation testing: `npm run test:mutation`, or with `-- --mutate <files>` for some of them.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	testRunner: 'jest',
	jest: {
		configFile: 'jest.config.mjs',
		config: {
			...engine,
			projects: [],
			roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
			testEnvironment: './test/mutation/MutationEnvironment.js',
			testMatch: [
				'<rootDir>/test/unit/*.test.ts',
				'<rootDir>/test/guarantees/requests.test.ts',
				'<rootDir>/test/mutation/engine.ts',
			],
			testPathIgnorePatterns: ['<rootDir>/test/unit/visibleFields.test.ts'],
			testTimeout: 15_000,
			testSequencer: '<rootDir>/test/mutation/UnitFirst.js',
		},
	},
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
