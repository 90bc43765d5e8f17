import { readFileSync } from 'node:fs';

/** The file of n8n's log, at its most talkative; EngineEnvironment.js hands it in. */
const { n8nLog = '' } = globalThis as { n8nLog?: string };
const before = readFileSync(n8nLog, 'utf8').length;

/** What n8n has written to its log since this test file began. */
export const logSoFar = (): string => readFileSync(n8nLog, 'utf8').slice(before);
