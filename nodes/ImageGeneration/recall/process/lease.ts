import { randomUUID } from 'crypto';

import { settle } from '../../failures/failures';
import { Turns } from '../../wait';
import type { PurchaseRow, PurchaseTable } from '../table/purchaseTable';

/** Milliseconds after which a process renews its row. */
const RENEWAL = 3000;
/** Milliseconds after which it tries again if the table does not answer. */
const RETRY = 1000;
/**
 * Milliseconds without a renewal after which a process counts as dead. Longer than a renewal and the pause
 * between two attempts of Retry On Fail, which n8n limits to five seconds and in which nothing is renewed.
 */
export const LEASE = 10_000;

/** What a lease needs of its process. */
interface LeasingProcess {
	readonly name: string;
	/** Milliseconds. */
	now(): number;
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The row of a process in a table. As long as it changes, other processes know that this one lives and
 * take nothing from its runs. It is there before any row of a run, and goes with the last run.
 */
export class Lease {
	/** The row's id. */
	#id: number | undefined;

	#renewedAt = -Infinity;

	readonly #runs = new Set<string>();

	readonly #turns = new Turns();

	constructor(private readonly process: LeasingProcess) {}

	/** Call before a run writes a row. @throws if the table does not answer */
	async ensure(table: PurchaseTable, run: string): Promise<void> {
		this.#runs.add(run);
		if (!table.isShared) return;
		// After a pause of the whole process, others may have removed the row.
		const isOverdue = () => this.process.now() - this.#renewedAt >= LEASE;
		if (this.#id !== undefined && !isOverdue()) return;
		await this.#turns.take(async () => {
			if (this.#id === undefined || isOverdue()) await this.#write(table);
		});
	}

	/** Renews the row unless it is new, or another run has just done so. */
	async #renew(table: PurchaseTable): Promise<void> {
		await this.#turns.take(async () => {
			const isDue = this.process.now() - this.#renewedAt >= RENEWAL / 2;
			if (this.#id !== undefined && isDue) await this.#write(table);
		});
	}

	/**
	 * Renews the row until the signal is aborted.
	 * @param before What fails if the table lacks what became of own runs. Then others may take the process for dead.
	 */
	async keep(table: PurchaseTable, ended: AbortSignal, before: () => Promise<void>): Promise<void> {
		const flushAndRenew = async () => {
			await before();
			await this.#renew(table);
		};
		while (table.isShared && !ended.aborted) {
			const renewed = await settle(flushAndRenew());
			await this.process.wait('value' in renewed ? RENEWAL : RETRY, ended);
		}
	}

	/** A run writes no more rows. */
	forget(run: string): void {
		this.#runs.delete(run);
	}

	/** Removes the row if no run needs it any more. */
	async release(table: PurchaseTable): Promise<void> {
		await this.#turns.take(async () => {
			const id = this.#id;
			if (id === undefined || this.#runs.size > 0) return;
			// Before the call, so that a run that begins meanwhile writes another row.
			this.#id = undefined;
			await table.remove([id]);
		});
	}

	async #write(table: PurchaseTable): Promise<void> {
		const at = this.process.now();
		const id = this.#id;
		const renewed =
			id === undefined
				? []
				: await table.change([
						{ which: { id, run: this.process.name }, set: { state: 'running' } },
					]);
		if (renewed.length === 0) {
			const inserted = await table.insert(processRow(this.process.name));
			this.#id = inserted.id;
		}
		this.#renewedAt = at;
	}
}

function processRow(name: string): PurchaseRow {
	return {
		time: new Date().toISOString(),
		image: 'An n8n process',
		link: '',
		state: 'running',
		operation: '',
		quality: '',
		size: '',
		workflow: '',
		execution: '',
		parent: '',
		node: '',
		request: '',
		run: name,
		entry: randomUUID(),
		result: '',
	};
}
