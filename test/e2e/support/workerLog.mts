import { readFile } from 'node:fs/promises';
import type { N8nProcess } from '../../../scripts/host/startN8n.mjs';

/** The ids of the executions that a worker has begun, by its own words (n8n 2.40.3, 1.123.81). */
export async function startedBy({ log }: N8nProcess): Promise<Set<string>> {
	const said = await readFile(log, 'utf8');
	return new Set([...said.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id));
}

/** The ids of the jobs that the node has named in a worker's log. */
export async function paidIn({ log }: N8nProcess): Promise<Set<string>> {
	const said = await readFile(log, 'utf8');
	return new Set([...said.matchAll(/was bought: \S+ \(job ([^)]+)\)/g)].map(([, id = '']) => id));
}
