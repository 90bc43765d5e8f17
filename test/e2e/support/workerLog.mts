import { readFile } from 'node:fs/promises';
import type { N8nProcess } from '../../../scripts/host/startN8n.mjs';

/** Ids of the executions that a worker has logged as started (n8n 2.40.3 and 1.123.81). */
export async function startedBy({ log }: N8nProcess): Promise<Set<string>> {
	const text = await readFile(log, 'utf8');
	return new Set([...text.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id));
}

/** Ids of the jobs that the node has logged as paid in a worker. */
export async function paidIn({ log }: N8nProcess): Promise<Set<string>> {
	const text = await readFile(log, 'utf8');
	return new Set([...text.matchAll(/was bought: \S+ \(job ([^)]+)\)/g)].map(([, id = '']) => id));
}
