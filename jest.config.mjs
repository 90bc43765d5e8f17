// Drawing uses several threads and large buffers, and the heaps that glibc keeps for them never shrink.
// With two heaps for all threads, and buffers from 128 KiB outside of them, each worker stays 300 MiB
// smaller (measured on Node 20.20, sharp 0.35.5). Workers read this when they start.
process.env.MALLOC_ARENA_MAX ??= '2';
process.env.MALLOC_MMAP_THRESHOLD_ ??= String(128 * 1024);

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
	// The fault matrix has this many sandboxes.
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
