import { randomUUID } from 'crypto';

import { settle } from '../failures/failures';
import { placeName, type Job, type JobResult } from '../types';
import { endRecording, type RunEnd } from './endRecording';
import { findRequests } from './findRequests';
import { keepAlive } from './leases';
import { requestKeys, storable, type Entry } from './purchases';
import type { PurchaseRow, StoredRow } from './purchaseTable';
import type { Recording } from './recordingRun';

/** The purchases of a node in all its executions, as one run reads and records them. */
export type Purchases = ReturnType<typeof recordPurchases>;

/**
 * Records purchases in a table. A paid request is an entry: a row `sent` before it goes out, and another
 * one with its outcome, because one call adds many; at its end a run removes the superseded ones. An
 * entry belongs to the run that its rows name. A run takes it over by replacing that name, which succeeds
 * for one run only.
 */
export function recordPurchases(recording: Recording) {
	const { table, process, run, place, signal } = recording;
	const ended = new AbortController();
	const own = { run: run.name, state: 'bought' } as const;
	process.live.set(run.name, signal);
	void keepAlive(recording, ended.signal);

	const keysOf = async (job: Job) => await requestKeys(place.node, [job]);
	const rowFor = (job: Job, request = ''): PurchaseRow => ({
		...{ ...place, image: placeName(job), link: '', state: 'sent', request, result: '' },
		...{ job: job.keys.join(' '), run: run.name, entry: randomUUID() },
	});

	async function bought(job: Job, result: JobResult): Promise<void> {
		const sent = run.unsettled.get(job) ?? rowFor(job);
		run.unsettled.delete(job);
		const [request = ''] = await keysOf(job);
		const stored = { link: result.output_url, result: JSON.stringify(storable(result)), request };
		const row = { ...sent, ...stored, state: 'bought' } as const;
		run.lasting = row.entry;
		const write = settle(table.insert(row)).then((outcome) => {
			if ('failure' in outcome) run.unwritten.push(row);
			else run.hasWritten = true;
		});
		run.writes.push(write);
	}

	/** @returns those that another run took first. @throws if the table does not answer */
	async function take(wanted: readonly StoredRow[]): Promise<Set<StoredRow>> {
		run.isUnsure = true;
		const taken = await table.pass(wanted, () => own);
		run.isUnsure = false;
		run.lasting = taken[0]?.entry ?? run.lasting;
		const lost = new Set(wanted);
		for (const row of taken) lost.delete(row);
		return lost;
	}

	return {
		/** Identifies a job's request, unless n8n can't read its file. */
		keysOf,
		/** See {@link findRequests}. */
		find: async (jobs: readonly Job[], all: boolean) => await findRequests(recording, jobs, all),
		/** Makes bought rows this run's own. */
		take,
		/** No later run uses the entry, because the service no longer has the image. */
		forget: async ({ row }: Entry): Promise<void> => {
			const closed = { request: '', state: 'delivered' } as const;
			await settle(table.update({ id: row.id }, closed));
		},
		/** The user is told about the entry, unless the run is stopped, or another attempt follows. */
		tell: ({ row }: Entry): void => void run.told.push(row),
		/** Makes purchases that are in this execution's data this run's own, and the others of their run. */
		adopt: async (known: ReadonlyArray<readonly [Job, JobResult]>): Promise<void> => {
			if (known.length === 0) return;
			const links = known.map(([, { output_url }]) => output_url);
			const found = await settle(table.find('link', links));
			if ('failure' in found) return;
			const listed = new Set(found.value.map(({ link }) => link));
			// Not more than the table keeps, because each missing one reads its job's file.
			for (const [job, result] of known.slice(-table.mostRows)) {
				if (!listed.has(result.output_url)) await bought(job, result);
			}
			const failed = found.value.filter(({ state }) => state === 'undelivered');
			for (const [earlier, entry] of new Map(failed.map((row) => [row.run, row.entry]))) {
				run.lasting = entry;
				await settle(table.update({ run: earlier, state: 'undelivered' }, own));
			}
			// Another run may take these over.
			const left = found.value.filter(({ state }) => state === 'stopped' || state === 'reported');
			await settle(take(left));
		},
		/** Records a request before it is sent. @throws if it can't: then nothing may be sent. */
		send: async (job: Job): Promise<void> => {
			const [request] = table.isShared ? await keysOf(job) : [];
			const row = rowFor(job, request);
			run.lasting ??= row.entry;
			await table.insert(row);
			run.unsettled.set(job, row);
		},
		bought,
		/** Forgets a job's request, if there was one, because it was definitely not charged. */
		notCharged: (job: Job): void => {
			const sent = run.unsettled.get(job);
			if (sent === undefined) return;
			run.unsettled.delete(job);
			run.writes.push(settle(table.remove({ entry: sent.entry })));
		},
		/** Call once when the run ends. */
		end: async (how: RunEnd): Promise<void> => {
			await endRecording(recording, how);
			ended.abort();
		},
	};
}
