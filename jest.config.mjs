// Drawing takes several threads. Each has a heap of its own in glibc, which grows and is never given
// back: with two of them the workers stay some 200 MiB smaller. They read this when they start.
process.env.MALLOC_ARENA_MAX ??= '2';

/** @satisfies {import('jest').Config} */
const common = {
	roots: ['<rootDir>/test'],
	// Types are checked once, by `npm run typecheck`.
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }] },
	// Dynamic imports name the built file.
	moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
	// jest's own choice is the system's temp folder; nothing here writes outside the checkout.
	cacheDirectory: '<rootDir>/.cache/jest',
};

const LOADED_ONCE = '<rootDir>/test/support/loadedOnce.ts';
const DRAWN_ONCE = '<rootDir>/test/support/drawnOnce.ts';

/** For tests that go through n8n's engine, with Stryker or without. */
export const engine = {
	...common,
	testEnvironment: '<rootDir>/test/support/EngineEnvironment.js',
	setupFiles: [LOADED_ONCE, DRAWN_ONCE],
};

/** @param {string} name the name of a folder in test/ */
const lane = (name) => ({ displayName: name, testMatch: [`<rootDir>/test/${name}/*.test.ts`] });

/** @type {import('jest').Config} */
export default {
	// Both cores of a small machine; jest would leave one to itself.
	maxWorkers: '100%',
	// As many as the sandboxes of the fault matrix.
	maxConcurrency: 24,
	// Real pictures are drawn in these tests, on machines that may be busy.
	testTimeout: 60_000,
	projects: [
		{ ...common, ...lane('unit') },
		{ ...common, ...lane('docs') },
		{ ...common, ...lane('package'), globalSetup: '<rootDir>/test/package/build.mjs' },
		{ ...engine, ...lane('sandbox'), setupFiles: [LOADED_ONCE] },
		{ ...engine, ...lane('engine') },
		{ ...engine, ...lane('guarantees') },
	],
};
