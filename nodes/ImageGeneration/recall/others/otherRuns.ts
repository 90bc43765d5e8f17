import { byKey } from '../byKey';
import type { Recording } from '../runRecord';
import { isOpen, type StoredRow } from '../table/purchaseTable';
import { storedResult } from '../table/storedResult';
import type { OtherProcesses } from './otherProcesses';
import type { OtherPurchase, Standing } from './otherPurchase';
import type { StoredImages } from './storedImages';

/** What other runs of the node bought, as one run sees it. It changes nothing in the table. */
export class OtherRuns {
	/** The ids of rows that dead processes have replaced. */
	readonly #replaced = new Set<number>();

	constructor(
		private readonly recording: Recording,
		private readonly processes: OtherProcesses,
		private readonly images: StoredImages,
	) {}

	/**
	 * Finds the purchases of these requests, the latest first. If a process that may be dead has one of them, it
	 * waits until that process gives a sign of life or its lease is over.
	 * @param perRequest How many to find for each request at least, if there are so many.
	 */
	async find(requests: readonly string[], perRequest: number): Promise<OtherPurchase[]> {
		const { table, signal } = this.recording;
		const read = async () => await table.find('request', requests, perRequest);
		let purchases = await this.judge(read);
		const isDoubtful = ({ row, standing }: OtherPurchase) =>
			standing === 'theirs' && this.processes.mayBeDead(row);
		while (purchases.some(isDoubtful) && !signal.aborted) {
			await this.processes.wait();
			purchases = await this.judge(read);
		}
		return purchases;
	}

	/**
	 * Reads rows, and decides what each is to this run. The order is the proof that a process is dead: first
	 * its requests are read, then the rows of processes, which are there before any request and go after the
	 * last one has its last state, then the requests again. Where a table took no last state, n8n is asked.
	 */
	async judge(read: () => Promise<StoredRow[]>): Promise<OtherPurchase[]> {
		const { process } = this.recording;
		// A run may begin or end while the rows are read.
		const live = new Set([...process.runs.keys()].filter((run) => process.isLive(run)));
		const isOver = (row: StoredRow): boolean =>
			this.processes.isThis(row)
				? !process.isLive(row.run) && !live.has(row.run)
				: this.processes.isDead(row);
		const rows = await read();
		const isForeign = (row: StoredRow) => isOpen(row) && !this.processes.isThis(row);
		if (rows.some(isForeign)) await this.processes.look();
		const over = new Set(rows.filter((row) => (isOpen(row) ? isOver(row) : isUnanswered(row))));
		const now = await this.#readAgain([...over]);
		const judged = rows.map(async (first): Promise<OtherPurchase[]> => {
			const row = over.has(first) ? now.get(first.id) : first;
			const isTaken = row === undefined || (row.run !== first.run && isOpen(row));
			if (isTaken) return [toPurchase(first, 'theirs')];
			const standing = await this.#standingOf(row, isOver);
			return standing === undefined ? [] : [toPurchase(row, standing)];
		});
		const purchases = (await Promise.all(judged)).flat();
		// A row and the one that has replaced it are one.
		return [...new Map(purchases.map((each) => [each.row.id, each])).values()];
	}

	/**
	 * Reads again what runs that are over have left. Their process may have replaced a row meanwhile, or died before it
	 * could remove the old one.
	 * @returns what each of these rows says now, by its id
	 */
	async #readAgain(rows: readonly StoredRow[]): Promise<Map<number, StoredRow>> {
		const { table } = this.recording;
		const named = rows.flatMap(({ entry }) => (entry === '' ? [] : entry));
		const unnamed = rows.flatMap(({ id, entry }) => (entry === '' ? id : []));
		const found = [...(await table.find('entry', named)), ...(await table.find('id', unnamed))];
		const byName = byKey(found.map((row) => ({ keys: [nameOf(row)], row })));
		const now = new Map<number, StoredRow>();
		for (const row of rows) {
			const same = (byName.get(nameOf(row)) ?? []).map((each) => each.row);
			const current = same.find(({ link }) => link !== '') ?? same[0];
			if (current !== undefined) now.set(row.id, current);
			const replaced = same.filter((each) => each !== current && each.link === '');
			for (const { id } of replaced) this.#replaced.add(id);
		}
		return now;
	}

	async #standingOf(
		row: StoredRow,
		isOver: (row: StoredRow) => boolean,
	): Promise<Standing | undefined> {
		switch (row.state) {
			case 'sent':
			case 'bought':
				if (!isOver(row)) return 'theirs';
				if (await this.#isRepeated(row)) return 'repeated';
				// A table that was full may not have taken how the run ended.
				return (await this.images.isDelivered(row)) ? 'ended' : 'free';
			case 'stopped':
			case 'told':
				return (await this.#isRepeated(row)) ? 'repeated' : 'free';
			case 'delivered':
			case 'failed':
				return 'ended';
			case 'unclear':
			case 'running':
				return undefined;
		}
	}

	/**
	 * Whether n8n itself runs a request without a result again: a sub-workflow that its caller repeats within
	 * one execution. Nobody has read then that it may have been charged. A loop of the caller looks the same, unless
	 * n8n has stored how the caller went on.
	 */
	async #isRepeated(row: StoredRow): Promise<boolean> {
		const { parent } = this.recording.common;
		const isCalledAgain = parent !== '' && row.parent === parent;
		if (!isCalledAgain || storedResult(row) !== undefined) return false;
		return !(await this.images.hasGoneOn(parent, row));
	}

	/** The ids of rows that dead processes would have removed. */
	leftOver(): number[] {
		return [...this.#replaced, ...this.processes.dead.map(({ id }) => id)];
	}
}

/** Whether a request that was cut off has no result. */
function isUnanswered({ state, link }: StoredRow): boolean {
	return state === 'stopped' && link === '';
}

/** Identifies a purchase, whichever row says it. */
function nameOf({ id, entry, request }: StoredRow): string {
	return entry === '' ? String(id) : `${entry} ${request}`;
}

function toPurchase(row: StoredRow, standing: Standing): OtherPurchase {
	return { row, result: storedResult(row), standing };
}
