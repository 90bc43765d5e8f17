import { createHash } from 'crypto';

import type { Failure } from '../failures/failures';
import { placeName } from '../failures/placeName';
import { isJobResult } from '../service/jobResults';
import type { Job, JobResult } from '../types';
import type { Clock, LogProcess } from './leases';
import { findRequests, type LoggedRequest } from './logEntries';
import type { LogRow, LogTable, StoredRow } from './logTable';
import { ownEntries } from './ownEntries';
import { requestKey, storable, type Entry, type Purchases } from './purchases';

export interface LogParts {
	table: LogTable;
	process: LogProcess;
	clock: Clock;
	/** The account, workflow and node. */
	owner: string;
	/** What all rows of the run have in common. */
	place: Pick<LogRow, 'operation' | 'workflow' | 'execution'>;
	/** Whether this n8n gives the execution of a dead process to another one. */
	repeats: boolean;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal | undefined;
	/** Called if the table does not show what became of an image, or of a whole run. */
	onMissing: (label: string | undefined, failure: Failure) => void;
}

/**
 * Records purchases in a table that survives everything. A paid request is an entry: a row `sent`
 * before it goes out, and another one with its outcome. Rows are added, because one call adds many; at
 * its end a run removes the superseded ones. An entry belongs to the run that its rows name. A run takes
 * it over by putting its name in the place of the other's, which succeeds for one run only.
 */
export function purchaseLog(parts: LogParts): Purchases {
	const { table, process, clock, owner, place, signal } = parts;
	const { execution } = place;
	const run = `${process.name}.${++process.runs}`;
	const node = createHash('sha256').update(owner).digest('base64url');
	const own = ownEntries(table, run, process, clock);
	let sent = 0;
	// To later runs of this process, a run is over as soon as Stop is pressed.
	const onStop = () => process.live.delete(run);
	signal?.addEventListener('abort', onStop);

	const keyOf = async ({ request }: Job) => await requestKey(owner, request);

	function toEntry({ row, isAbandoned }: LoggedRequest): Entry {
		const { link, request } = row;
		// What this execution sent is known by its job, even if an expression gives another request now.
		const isOwn = row.execution === execution;
		return {
			key: link === '' || request === '' || isOwn ? undefined : request,
			label: row.image,
			result: resultOf(row),
			sentAt: new Date(row.createdAt).getTime(),
			isAbandoned,
			isTold: row.state === 'reported',
			...(isOwn && { jobKeys: row.job.split(' ') }),
			take: async (job) => await own.take(row, { execution, job: job.keys.join(' ') }),
			tell: async () => {
				await own.release(row, link === '' ? 'unclear' : 'reported');
			},
		};
	}

	return {
		keyOf,
		find: async (jobs, all) => {
			let keys: ReadonlySet<string> | undefined;
			const requests = async () => {
				keys ??= new Set((await Promise.all(jobs.map(keyOf))).map((key) => key ?? ''));
				return keys;
			};
			return (await findRequests({ ...parts, node, execution, requests, all })).map(toEntry);
		},
		send: async (job) => {
			const row: LogRow = {
				...{ image: placeName(job), link: '', state: 'sent', ...place, node, run },
				...{ request: (await keyOf(job)) ?? '', job: job.keys.join(' ') },
				...{ entry: `${run}.${++sent}`, result: '' },
			};
			await own.send(row);
			return {
				bought: async (result) => {
					const stored = { link: result.output_url, result: JSON.stringify(storable(result)) };
					own.bought({ ...row, ...stored, state: 'bought' });
					await Promise.resolve();
				},
				notCharged: async () => {
					own.notCharged(row);
					await Promise.resolve();
				},
			};
		},
		adopt: async (_job, result) => {
			own.adopt(result.output_url);
			await Promise.resolve();
		},
		end: async (how) => {
			const lost = await own.close(how);
			signal?.removeEventListener('abort', onStop);
			if (lost === undefined) return;
			const labels = lost.missing.map(({ image }) => image);
			for (const label of labels.length === 0 ? [undefined] : labels) {
				parts.onMissing(label, lost.failure);
			}
		},
	};
}

/** Checks what it finds, because people may edit the table. */
function resultOf({ link, result }: StoredRow): JobResult | undefined {
	if (link === '') return undefined;
	try {
		const parsed = JSON.parse(result) as unknown;
		if (isJobResult(parsed)) return parsed;
	} catch {
		// The link is enough.
	}
	return { output_url: link };
}
