// sharp draws with several threads and large buffers, and glibc's heaps for them never shrink. With two
// heaps for all threads, and buffers of 128 KiB or more outside of them, each worker needs 300 MiB less
// (measured with Node 20.20 and sharp 0.35.5). Workers read these variables when they start.
process.env.MALLOC_ARENA_MAX ??= '2';
process.env.MALLOC_MMAP_THRESHOLD_ ??= String(128 * 1024);
// V8 may let a heap grow to gigabytes before it frees what finished files leave behind. With this limit all
// processes together need at most 1.6 GiB (Node 20.20, two cores). Workers inherit it.
process.execArgv.push('--max-old-space-size=500');

/** @satisfies {import('jest').Config} */
const common = {
	roots: ['<rootDir>/test'],
	// `npm run typecheck` checks the types.
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }] },
	// Dynamic imports name the compiled file.
	moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
	// The default is the system's temp folder, but tests write only inside the checkout.
	cacheDirectory: '<rootDir>/.cache/jest',
};

const LOADED_ONCE = '<rootDir>/test/support/loadedOnce.ts';
const DRAWN_ONCE = '<rootDir>/test/support/drawnOnce.ts';
const QUICK_RETRIES = '<rootDir>/test/support/quickRetries.ts';

/** For tests that use n8n's engine, with or without Stryker. */
export const engine = {
	...common,
	testEnvironment: '<rootDir>/test/support/EngineEnvironment.js',
	setupFiles: [LOADED_ONCE, DRAWN_ONCE, QUICK_RETRIES],
};

/** Folders about the node. */
const NODE = '{promises/*,n8n,wire}';

/**
 * A file's ending says what it needs: `x.test.ts` plain Node, `x.engine.test.ts` n8n's engine, and
 * `x.slow.test.ts` the engine and its time.
 * @param {string} name
 * @param {string} files in test/
 */
const project = (name, files) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${files}.test.ts`],
});

/** A `*` matches both endings, of which these projects have none. */
const PLAIN = { testPathIgnorePatterns: [String.raw`\.(engine|slow)\.test\.ts$`] };

/** @type {import('jest').Config} */
export default {
	// Use all cores: by default jest leaves one idle, half of a small machine.
	maxWorkers: '100%',
	// The fault matrix runs this many sandboxes.
	maxConcurrency: 24,
	// The tests draw real pictures, possibly on a busy machine.
	testTimeout: 60_000,
	projects: [
		{
			...common,
			...project('unit', `${NODE}/*`),
			...PLAIN,
			moduleNameMapper: {
				...common.moduleNameMapper,
				'^n8n-workflow$': '<rootDir>/test/support/lazyWorkflow.ts',
			},
		},
		{
			...common,
			...project('package', 'package/*'),
			...PLAIN,
			globalSetup: '<rootDir>/test/package/build.mjs',
		},
		{ ...engine, ...project('sandbox', 'sandbox/*'), setupFiles: [LOADED_ONCE] },
		{ ...engine, ...project('engine', `{${NODE},package}/*.engine`) },
		{ ...engine, ...project('guarantees', `${NODE}/*.slow`) },
	],
};
