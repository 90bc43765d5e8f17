import { readFileSync } from 'node:fs';

/** File of n8n's log at level debug, provided by EngineEnvironment.js. */
const { n8nLog = '' } = globalThis as { n8nLog?: string };
const before = readFileSync(n8nLog, 'utf8').length;

/** What n8n has logged since this test file started. */
export const logSoFar = (): string => readFileSync(n8nLog, 'utf8').slice(before);
