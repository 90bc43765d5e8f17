import { Failed, type Failure } from '../failures/failures';
import { settle } from '../failures/outcome';
import { batched } from './batched';
import { RENEWAL, type Clock, type LogProcess } from './leases';
import type { Change, Condition, LogRow, LogTable, StoredRow } from './logTable';
import type { RunEnd } from './purchases';

/** Milliseconds in which writes arrive that belong together. */
const GATHERING = 10;

/** What a run writes to a Purchase Log. Writes that meet go as one. */
export interface OwnEntries {
	/** Writes the row of a request that is about to go out. @throws if that is not possible */
	send(row: LogRow): Promise<void>;
	/** Writes that it was bought, while the run goes on: its image is paid for whatever comes of the row. */
	bought(row: LogRow): void;
	/** Its row is removed when the run ends. */
	notCharged(row: LogRow): void;
	/** Makes the undelivered purchase with this link the run's own. */
	adopt(link: string): void;
	/** @returns false if another run was faster. @throws if the table does not say */
	take(row: StoredRow, place: Partial<LogRow>): Promise<boolean>;
	/** Changes what belongs to no living run, and gives it up. */
	release(row: StoredRow, state: LogRow['state']): Promise<void>;
	/** Call once when the run ends. @returns whether the table shows it, or why not, and for which images */
	close(how: RunEnd): Promise<undefined | { failure: Failure; missing: readonly LogRow[] }>;
}

/** @param run The run's name in the rows. */
export function ownEntries(
	table: LogTable,
	run: string,
	{ live }: LogProcess,
	clock: Clock,
): OwnEntries {
	/** Finds a row of each entry. */
	const own = new Map<string, Condition>();
	const unsettled = new Map<string, LogRow>();
	const refused: string[] = [];
	/** Purchases whose row could not be written at once. */
	const unwritten: LogRow[] = [];
	const writes: Array<Promise<unknown>> = [];
	const ended = new AbortController();
	let mayHaveTakenMore = false;

	const gather = async () => {
		await clock.wait(GATHERING);
	};
	const insert = batched(async (rows: LogRow[]) => await table.insert(rows), gather);
	const pass = batched(async (changes: Change[]) => await table.pass(changes), gather);
	const adoptLinks = batched(async (links: string[]) => {
		const any = links.map((link) => ['link', 'eq', link] as const);
		const rows = (await table.read({ any })).filter(({ state }) => state === 'undelivered');
		await table.pass(rows.map((row) => [row, { run, state: 'bought' }]));
	}, gather);

	/** From the first entry on, shows other processes that this one lives. */
	function begin(column: 'entry' | 'link', value: string): void {
		own.set(value, [column, 'eq', value]);
		if (own.size === 1) void renew();
	}

	async function renew(): Promise<void> {
		for (;;) {
			await clock.wait(RENEWAL, ended.signal);
			const [one] = own.values();
			if (ended.signal.aborted || one === undefined) return;
			await settle(table.update({ all: [one, ['run', 'eq', run]] }, { run }));
		}
	}

	async function isPassed(row: StoredRow, change: Partial<LogRow>): Promise<boolean> {
		const passed = await settle(pass([row, change]));
		if ('failure' in passed) {
			mayHaveTakenMore = true;
			throw new Failed(passed.failure);
		}
		const isOwn = passed.value.some(({ id, run: now }) => id === row.id && now === run);
		if (isOwn) begin('entry', row.entry);
		return isOwn;
	}

	/** Writes what is missing first, because only then may the `sent` rows go. */
	async function writeEnd(how: RunEnd): Promise<void> {
		const isLeft = how === 'stopped' || mayHaveTakenMore;
		const unclear = isLeft ? [] : [...unsettled.values()];
		const closed = unclear.map((row): LogRow => ({ ...row, run: '', state: 'unclear' }));
		if (unwritten.length + closed.length > 0) await table.insert([...unwritten, ...closed]);
		if (!isLeft) {
			const state = how === 'delivered' ? 'delivered' : 'undelivered';
			await table.close(run, { run: '', state });
			return;
		}
		const any = refused.map((entry) => ['entry', 'eq', entry] as const);
		if (any.length > 0) await table.remove({ any });
		await table.update({ all: [['run', 'eq', run]] }, { run: '' });
	}

	live.add(run);
	return {
		send: async (row) => {
			begin('entry', row.entry);
			await insert(row);
			unsettled.set(row.entry, row);
		},
		bought: (row) => {
			unsettled.delete(row.entry);
			const written = settle(insert(row)).then((outcome) => {
				if ('failure' in outcome) unwritten.push(row);
			});
			writes.push(written);
		},
		notCharged: ({ entry }) => {
			unsettled.delete(entry);
			refused.push(entry);
		},
		adopt: (link) => {
			begin('link', link);
			writes.push(settle(adoptLinks(link)));
		},
		take: async (row, place) => {
			const change = { ...place, run, state: 'bought' } as const;
			if (await isPassed(row, change)) return true;
			// Another run may have told its link meanwhile, and left it.
			const [now] = await table.read({ any: [['id', 'eq', row.id]] });
			return now?.state === 'reported' && now.run === '' && (await isPassed(now, change));
		},
		release: async (row, state) => {
			await settle(pass([row, { run: '', state }]));
		},
		close: async (how) => {
			await Promise.all(writes);
			ended.abort();
			const wroteNothing = own.size === 0 && !mayHaveTakenMore;
			const outcome = await settle(wroteNothing ? Promise.resolve() : writeEnd(how));
			live.delete(run);
			if ('failure' in outcome) return { failure: outcome.failure, missing: unwritten };
			return undefined;
		},
	};
}
