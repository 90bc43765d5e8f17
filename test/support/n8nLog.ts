import { readFileSync } from 'node:fs';

/** The file of n8n's log, with debug messages; provided by EngineEnvironment.js. */
const { n8nLog = '' } = globalThis as { n8nLog?: string };
const before = readFileSync(n8nLog, 'utf8').length;

/** What n8n has logged since this test file started. */
export const logSoFar = (): string => readFileSync(n8nLog, 'utf8').slice(before);
