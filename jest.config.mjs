/** @type {import('jest').Config} */
export default {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	setupFiles: ['<rootDir>/test/support/environment.js'],
	// Both cores of a small machine; jest would leave one to itself.
	maxWorkers: '100%',
	// Real pictures are drawn in these tests, on machines that may be busy.
	testTimeout: 60_000,
	testPathIgnorePatterns: ['<rootDir>/test/e2e/'],
	// Types are checked once, by `npm run typecheck`.
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json', diagnostics: false }] },
	// jest's own choice is the system's temp folder; nothing here writes outside the checkout.
	cacheDirectory: '<rootDir>/.cache/jest',
};
