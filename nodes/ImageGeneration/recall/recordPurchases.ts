import { createHash } from 'crypto';

import { settle, unwrap } from '../failures/outcome';
import { placeName } from '../failures/placeName';
import type { Job, JobResult } from '../types';
import { findRequests, type RecordedRequest } from './findRequests';
import { keepAlive } from './keepAlive';
import { requestKey, storable, storedResult, type Entry, type Purchases } from './purchases';
import type { PurchaseRow, PurchaseState, StoredRow } from './purchaseTable';
import type { RecordingRun } from './recordingRun';

/**
 * Records purchases in a table. A paid request is an entry: a row `sent` before it goes out, and another
 * one with its outcome. Rows are added, because one call adds many; at its end a run removes the
 * superseded ones. An entry belongs to the run that its rows name. A run takes it over by putting its
 * name in the place of the other's, which succeeds for one run only.
 */
export function recordPurchases(recording: RecordingRun): Purchases {
	const { table, process, owner, place, attempt, signal, onMissing } = recording;
	const { run, execution } = place;
	const { live } = process;
	const node = createHash('sha256').update(owner).digest('base64url');
	const unsettled = new Map<string, PurchaseRow>();
	const writes: Array<Promise<unknown>> = [];
	const told: StoredRow[] = [];
	const ended = new AbortController();
	let hasRows = false;
	/** What it tried to take over. */
	const tried: StoredRow[] = [];
	/** Whether it may have taken over more than it knows. */
	let isUnsure = false;

	// To later runs of this process, a run is over as soon as Stop is pressed.
	if (signal?.aborted !== true) live.add(run);
	const onStop = () => live.delete(run);
	signal?.addEventListener('abort', onStop);
	if (attempt.held !== undefined) void hold();

	const keyOf = async ({ request }: Job) => await requestKey(owner, request);

	const rowFor = (job: Job, request = ''): PurchaseRow => ({
		...{ image: placeName(job), link: '', state: 'sent', ...place, node, request, result: '' },
		...{ job: job.keys.join(' '), entry: `${process.name}.${++process.names}` },
	});

	/** From the first row on, shows other processes that this one lives. */
	async function hold(row = attempt.held): Promise<void> {
		attempt.held = row;
		if (hasRows) return;
		hasRows = true;
		await keepAlive(recording, ended.signal, () => {
			const [waiting] = unsettled.keys();
			return waiting === undefined ? attempt.held : ['entry', 'eq', waiting];
		});
	}

	async function buy(row: PurchaseRow, job: Job, result: JobResult): Promise<void> {
		const request = row.request === '' ? ((await keyOf(job)) ?? '') : row.request;
		const stored = { link: result.output_url, result: JSON.stringify(storable(result)), request };
		void hold(['entry', 'eq', row.entry]);
		const written = settle(table.insert({ ...row, ...stored, state: 'bought' }));
		const noted = written.then((outcome) => {
			if ('failure' in outcome) onMissing(row.image, outcome.failure);
		});
		writes.push(noted);
		if (!table.isShared) await noted;
	}

	function toEntry({ row, isAbandoned }: RecordedRequest): Entry {
		const { link, request } = row;
		// What this execution sent is known by its job, even if an expression gives another request now.
		const isOwn = row.execution === execution;
		const keys = isOwn ? row.job.split(' ') : [request];
		return {
			...{ label: row.image, isOwn, isAbandoned, isTold: row.state === 'reported' },
			keys: isOwn || link !== '' ? keys : [],
			result: storedResult(row),
			sentAt: new Date(row.createdAt).getTime(),
			take: async (job) => {
				const change = { run, state: 'bought', execution, job: job.keys.join(' ') } as const;
				tried.push({ ...row, run });
				const passed = await settle(table.pass(row, change));
				if ('failure' in passed) isUnsure = true;
				const isTaken = unwrap(passed);
				if (isTaken) void hold(['entry', 'eq', row.entry]);
				return isTaken;
			},
			tell: () => told.push(row),
		};
	}

	/** @returns the row if the table does not answer */
	async function giveUp(row: StoredRow): Promise<StoredRow[]> {
		return 'failure' in (await settle(table.pass(row, { state: 'stopped' }))) ? [row] : [];
	}

	/** Writes what is missing first, because only then may the `sent` rows go. */
	async function close(state: PurchaseState): Promise<void> {
		if (state === 'stopped') {
			// Another run may have told of them meanwhile.
			const untold = ['reported', 'unclear'].map((each) => ['state', 'neq', each] as const);
			await table.update({ all: [['run', 'eq', run], ...untold] }, { state });
			return;
		}
		const unclear = [...unsettled.values()].map((row) => ({ ...row, state: 'unclear' as const }));
		await Promise.all(unclear.map(async (row) => await table.insert(row)));
		await table.close(run, state);
	}

	return {
		keyOf,
		find: async (jobs, all) => {
			let keys: ReadonlySet<string> | undefined;
			const requests = async () => {
				keys ??= new Set((await Promise.all(jobs.map(keyOf))).flatMap((key) => key ?? []));
				return keys;
			};
			isUnsure = true;
			const found = await findRequests({ ...recording, node, execution, requests, all });
			isUnsure = false;
			return found.map(toEntry).filter((entry) => all || entry.isAbandoned || entry.isOwn);
		},
		send: async (job) => {
			const row = rowFor(job, table.isShared ? await keyOf(job) : undefined);
			void hold();
			await table.insert(row);
			unsettled.set(row.entry, row);
			return {
				bought: async (result) => {
					unsettled.delete(row.entry);
					await buy(row, job, result);
				},
				notCharged: async () => {
					unsettled.delete(row.entry);
					writes.push(settle(table.remove(['entry', 'eq', row.entry])));
					await Promise.resolve();
				},
			};
		},
		adopt: async (known) => {
			// After Stop, another run may have taken them over.
			if (known.length === 0 || signal?.aborted === true) return;
			const any = known.map(([, { output_url }]) => ['link', 'eq', output_url] as const);
			const rows = await settle(table.read({ any }));
			if ('failure' in rows) return;
			const links = new Set(rows.value.map(({ link }) => link));
			const missing = known.filter(([, { output_url }]) => !links.has(output_url));
			await Promise.all(missing.map(async ([job, result]) => await buy(rowFor(job), job, result)));
			const left = rows.value.filter(({ state }) => state === 'undelivered');
			const ids = left.map(({ id }) => ['id', 'eq', id] as const);
			if (ids[0] === undefined) return;
			void hold(ids[0]);
			await settle(table.update({ any: ids }, { run, state: 'bought' }));
		},
		end: async (how) => {
			await Promise.all(writes);
			ended.abort();
			if (isUnsure) attempt.doubtful.push(...tried);
			const left = await Promise.all(attempt.doubtful.map(giveUp));
			attempt.doubtful = left.flat();
			// The next attempt goes on with its rows, or the next run if n8n is killed before it.
			if (how === 'failed' && !attempt.isLast) return;
			const end = isUnsure ? 'stopped' : how;
			const state = end === 'failed' ? 'undelivered' : end;
			const closed = await settle(hasRows ? close(state) : Promise.resolve());
			const toState = ({ link }: StoredRow) => (link === '' ? 'unclear' : 'reported');
			await Promise.all(
				told.map(async (row) => await settle(table.pass(row, { state: toState(row) }))),
			);
			live.delete(run);
			signal?.removeEventListener('abort', onStop);
			if ('failure' in closed) onMissing(undefined, closed.failure);
		},
	};
}
