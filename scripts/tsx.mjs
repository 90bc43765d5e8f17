/**
 * `node --import ./scripts/tsx.mjs <file>` runs TypeScript, as `tsx <file>` does, but without the
 * cache and the socket that tsx 4.23 puts into the system's temp folder: nothing here writes
 * outside the checkout.
 */
process.env.TSX_DISABLE_CACHE = '1';
await import('tsx');
