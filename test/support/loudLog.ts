import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), '.cache', 'engine');
const file = join(folder, `log-${process.pid}.txt`);

// n8n reads these when its logger is first asked for, which is when the engine starts.
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_OUTPUT = 'file';
process.env.N8N_LOG_FILE_LOCATION = file;
mkdirSync(folder, { recursive: true });
rmSync(file, { force: true });

/** What n8n has written to its log so far, at its most talkative. */
export const logSoFar = (): string => readFileSync(file, 'utf8');

export const removeLog = (): void => rmSync(file, { force: true });
