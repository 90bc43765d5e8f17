import { settle } from '../failures/outcome';
import { placeName } from '../failures/text';
import type { Job, JobResult } from '../types';
import { endRecording } from './endRecording';
import { findRequests } from './findRequests';
import { keepAlive } from './leases';
import { requestKey, storable, type Purchases } from './purchases';
import type { Condition, PurchaseRow } from './purchaseTable';
import type { RecordingRun } from './recordingRun';
import { TakeOvers } from './takeOvers';

/**
 * Records purchases in a table. A paid request is an entry: a row `sent` before it goes out, and another
 * one with its outcome, because one call adds many; at its end a run removes the superseded ones. An
 * entry belongs to the run that its rows name. A run takes it over by replacing that name, which succeeds
 * for one run only.
 */
export function recordPurchases(recording: RecordingRun): Purchases {
	const { table, process, place, rows, signal, clock } = recording;
	const writes: Array<Promise<unknown>> = [];
	/** What the table did not take. */
	const unwritten: PurchaseRow[] = [];
	const ended = new AbortController();
	let renewal: Promise<void> | undefined;
	const takeOvers = new TakeOvers(recording, hold);
	process.live.set(place.run, signal);
	if (rows.hasAny) hold();

	const keyOf = async ({ request }: Job) => await requestKey(place.node, request);
	const rowFor = (job: Job, request = ''): PurchaseRow => ({
		...{ image: placeName(job), link: '', state: 'sent', ...place, request, result: '' },
		...{ job: job.keys.join(' '), entry: `${process.name}.${++process.names}` },
	});

	/** From the first row on, shows other processes that this one lives. */
	function hold(lasting: Condition | undefined = rows.lasting): void {
		rows.hasAny = true;
		rows.lasting = lasting;
		renewal ??= keepAlive(recording, ended.signal);
	}

	async function buy(sent: PurchaseRow, job: Job, result: JobResult): Promise<void> {
		const request = (await keyOf(job)) ?? '';
		const stored = { link: result.output_url, result: JSON.stringify(storable(result)), request };
		const row = { ...sent, ...stored, state: 'bought' } as const;
		hold(['entry', 'eq', row.entry]);
		const startedAt = clock.now();
		const write = settle(table.insert(row)).then((outcome) => {
			if ('failure' in outcome) unwritten.push(row);
			else rows.renewedAt = startedAt;
		});
		writes.push(write);
	}

	return {
		keyOf,
		find: async (jobs, all) => {
			let keys: ReadonlySet<string> | undefined;
			const requests = async () => {
				keys ??= new Set((await Promise.all(jobs.map(keyOf))).flatMap((key) => key ?? []));
				return keys;
			};
			takeOvers.isUnsure = true;
			const found = await findRequests({ ...recording, requests, all });
			takeOvers.isUnsure = false;
			const entries = found.map((each) => takeOvers.entry(each));
			return entries.filter((entry) => all || entry.isAbandoned || entry.isOwn);
		},
		send: async (job) => {
			const row = rowFor(job, table.isShared ? await keyOf(job) : undefined);
			hold();
			await table.insert(row);
			rows.unsettled.set(row.entry, row);
			return {
				bought: async (result) => {
					rows.unsettled.delete(row.entry);
					await buy(row, job, result);
				},
				notCharged: async () => {
					rows.unsettled.delete(row.entry);
					writes.push(settle(table.remove(['entry', 'eq', row.entry])));
					await Promise.resolve();
				},
			};
		},
		adopt: async (known) => {
			if (known.length === 0) return;
			const any = known.map(([, { output_url }]) => ['link', 'eq', output_url] as const);
			const found = await settle(table.read({ any }));
			if ('failure' in found) return;
			const links = new Set(found.value.map(({ link }) => link));
			const missing = known.filter(([, { output_url }]) => !links.has(output_url));
			await Promise.all(missing.map(async ([job, result]) => await buy(rowFor(job), job, result)));
			await takeOvers.adopt(found.value);
		},
		end: async (how) => {
			await endRecording(recording, { writes, unwritten, takeOvers }, how);
			ended.abort();
		},
	};
}
