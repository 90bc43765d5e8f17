import { settle, unwrap } from '../failures/outcome';
import type { RecordedRequest } from './findRequests';
import { storedResult, type Entry } from './purchases';
import type { Condition, StoredRow } from './purchaseTable';
import type { RecordingRun } from './recordingRun';

/** What a run takes over from others, or tells of them. */
export class TakeOvers {
	/** Whether it may have taken over more than it knows. */
	isUnsure = false;

	readonly #told: StoredRow[] = [];

	readonly #recording: RecordingRun;

	readonly #hold: (taken: Condition) => void;

	constructor(recording: RecordingRun, hold: (taken: Condition) => void) {
		this.#recording = recording;
		this.#hold = hold;
	}

	entry({ row, isAbandoned, isOwn }: RecordedRequest): Entry {
		return {
			...{ label: row.image, isOwn, isAbandoned, isTold: row.state === 'reported' },
			// What this execution sent is known by its job, even if an expression gives another request now.
			keys: isOwn ? row.job.split(' ') : [row.request],
			result: storedResult(row),
			sentAt: new Date(row.createdAt).getTime(),
			take: async () => await this.#take(row),
			forget: async () => {
				const { table } = this.#recording;
				const closed = { request: '', state: 'delivered' } as const;
				await settle(table.update({ all: [['id', 'eq', row.id]] }, closed));
			},
			tell: () => this.#told.push(row),
		};
	}

	async #take(row: StoredRow): Promise<boolean> {
		const { table, place } = this.#recording;
		const passed = await settle(table.pass(row, { run: place.run, state: 'bought' }));
		if ('failure' in passed) this.isUnsure = true;
		const isTaken = unwrap(passed);
		if (!isTaken) return false;
		this.#hold(['entry', 'eq', row.entry]);
		return true;
	}

	/** Makes rows its own whose images are in the data of its execution. */
	async adopt(found: readonly StoredRow[]): Promise<void> {
		const { table, place } = this.#recording;
		const change = { run: place.run, state: 'bought' } as const;
		const ids = found
			.filter(({ state }) => state === 'undelivered')
			.map(({ id }) => ['id', 'eq', id] as const);
		if (ids[0] !== undefined) {
			this.#hold(ids[0]);
			await settle(table.update({ any: ids }, change));
		}
		// Another run may take these over.
		const left = found.filter(({ state }) => state === 'stopped' || state === 'reported');
		await Promise.all(
			left.map(async (row) => {
				const passed = await settle(table.pass(row, change));
				if ('value' in passed && passed.value) this.#hold(['id', 'eq', row.id]);
			}),
		);
	}

	/** Records that the user has been told, or not if n8n drops what the run says. */
	async close(): Promise<void> {
		const { table, signal } = this.#recording;
		const toldOf = ({ link }: StoredRow) => (link === '' ? 'unclear' : 'reported');
		await Promise.all(
			this.#told.map(async (row) => {
				await table.pass(row, { state: signal?.aborted === true ? 'stopped' : toldOf(row) });
			}),
		);
	}
}
