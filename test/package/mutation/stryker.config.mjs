import { engine } from '../../../jest.config.mjs';

/**
 * Mutation testing: `npm run test:mutation`. `-- --mutate <files>` limits it to some files.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	testRunner: 'jest',
	jest: {
		configFile: 'jest.config.mjs',
		config: {
			...engine,
			projects: [],
			// Unit tests have fake timers instead of quick retries.
			setupFiles: engine.setupFiles.filter((file) => !file.endsWith('quickRetries.ts')),
			roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
			testEnvironment: './test/package/mutation/MutationEnvironment.js',
			testMatch: [
				'<rootDir>/test/{promises/*,n8n,wire}/*.test.ts',
				'<rootDir>/test/wire/requests.slow.test.ts',
				'<rootDir>/test/package/mutation/engine.ts',
			],
			testPathIgnorePatterns: [
				String.raw`(?<!/(signedAddress|stories|whoMayHave))\.engine\.test\.ts$`,
				String.raw`(?<!/requests)\.slow\.test\.ts$`,
				'/visibleFields.test.ts$',
			],
			testTimeout: 15_000,
			testSequencer: '<rootDir>/test/package/mutation/UnitFirst.js',
		},
	},
	mutate: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageAnalysis: 'perTest',
	// Code that runs when a file is loaded is the description that n8n shows: fields, labels, hints.
	// Each of these mutants would run all tests, and other tests compare the description.
	ignoreStatic: true,
	plugins: ['@stryker-mutator/jest-runner', './test/package/mutation/ignoreShown.mjs'],
	ignorers: ['shown'],
	tempDirName: '.cache/stryker',
	ignorePatterns: ['.cache', 'dist', 'output', 'coverage', 'bench', 'scripts'],
	reporters: ['clear-text', 'json', 'progress-append-only', 'event-recorder'],
	jsonReporter: { fileName: '.cache/mutation.json' },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	// Keeps the results if a run is interrupted.
	eventReporter: { baseDir: '.cache/mutation-events' },
	concurrency: 2,
	// Generous, so that a busy machine does not count as a killed mutant.
	timeoutMS: 30_000,
	timeoutFactor: 2,
	maxTestRunnerReuse: 100,
};
