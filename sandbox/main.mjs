/**
 * `node sandbox/main.mjs` runs the sandbox's command line. Like `scripts/tsx.mjs`, it does without the
 * cache that tsx 4.23 creates in the system's temp folder.
 */
process.env.TSX_DISABLE_CACHE = '1';
await import('tsx');
await import(new URL('cli.ts', import.meta.url).href);
