import config from './jest.config.mjs';

/** For Stryker; see test/mutation/engine.ts. */
export default {
	...config,
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
	testMatch: [
		'<rootDir>/test/unit/**/*.test.ts',
		'<rootDir>/test/promises/requests.test.ts',
		'<rootDir>/test/mutation/engine.ts',
	],
	testSequencer: '<rootDir>/test/mutation/unitFirst.js',
};
