/**
 * `node --import ./scripts/tsx.mjs <file>` runs TypeScript like `tsx <file>`, but without the cache
 * and the socket that tsx 4.23 creates in the system's temp folder. Scripts write only inside the
 * checkout.
 */
process.env.TSX_DISABLE_CACHE = '1';
await import('tsx');
