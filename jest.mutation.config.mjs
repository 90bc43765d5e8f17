import config from './jest.config.mjs';

/** For Stryker; see test/mutation. */
export default {
	...config,
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
	testEnvironment: './test/mutation/environment.js',
	setupFiles: [...(config.setupFiles ?? []), '<rootDir>/test/mutation/outside.ts'],
	testMatch: [
		'<rootDir>/test/unit/**/*.test.ts',
		'<rootDir>/test/promises/requests.test.ts',
		'<rootDir>/test/mutation/engine.ts',
	],
	testPathIgnorePatterns: ['<rootDir>/test/unit/visibleFields.test.ts'],
	testTimeout: 15_000,
	testSequencer: '<rootDir>/test/mutation/unitFirst.js',
};
