import { storedResult, type Entry, type Standing } from './entry';
import type { OtherProcesses } from './otherProcesses';
import { isOpen, type StoredRow } from './purchaseTable';
import type { Recording } from './runRecord';
import type { StoredImages } from './storedImages';

/** What other runs of the node bought, as one run sees it. It changes nothing. */
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
	async find(requests: readonly string[], perRequest: number): Promise<Entry[]> {
		const { table, signal } = this.recording;
		const read = async () => await table.find('request', requests, perRequest);
		let entries = await this.judge(read);
		const isDoubtful = ({ row, standing }: Entry) =>
			standing === 'theirs' && this.processes.mayBeDead(row);
		while (entries.some(isDoubtful) && !signal.aborted) {
			await this.processes.wait();
			entries = await this.judge(read);
		}
		return entries;
	}

	/**
	 * Reads rows, and decides what each is to this run. The order is the proof that a process is dead: first
	 * its requests are read, then the rows of processes, which are there before any request and go after the
	 * last one has its last state, then the requests again. Where a table took no last state, n8n is asked.
	 */
	async judge(read: () => Promise<StoredRow[]>): Promise<Entry[]> {
		const { table, process } = this.recording;
		// A run may begin or end while the rows are read.
		const live = new Set([...process.runs.keys()].filter((run) => process.isLive(run)));
		const isOver = (row: StoredRow): boolean =>
			this.processes.isThis(row)
				? !process.isLive(row.run) && !live.has(row.run)
				: this.processes.isDead(row);
		const rows = await read();
		const open = rows.filter(isOpen);
		if (!open.every((row) => this.processes.isThis(row))) await this.processes.look();
		const dead = open.filter((row) => this.processes.isDead(row)).map(({ id }) => id);
		const again = new Map((await table.find('id', dead)).map((row) => [row.id, row]));
		const judged = rows.map(async (first): Promise<Entry[]> => {
			const row = again.get(first.id) ?? first;
			const isTaken = row.run !== first.run && isOpen(row);
			const isDeleted = dead.includes(row.id) && !again.has(row.id);
			const standing = isTaken || isDeleted ? 'theirs' : await this.#standingOf(row, isOver);
			return standing === undefined ? [] : [{ row, result: storedResult(row), standing }];
		});
		return await this.#withoutReplaced((await Promise.all(judged)).flat());
	}

	/** Leaves out rows that their process has replaced, and could not remove before it died. */
	async #withoutReplaced(entries: readonly Entry[]): Promise<Entry[]> {
		const isUnanswered = ({ row: { state, link, entry }, standing }: Entry) =>
			(state === 'sent' || state === 'stopped') &&
			link === '' &&
			entry !== '' &&
			standing !== 'theirs';
		const unanswered = entries.filter(isUnanswered).map(({ row }) => row.entry);
		const same = await this.recording.table.find('entry', unanswered);
		const answered = new Set(same.filter(({ link }) => link !== '').map(({ entry }) => entry));
		const isReplaced = (each: Entry) => isUnanswered(each) && answered.has(each.row.entry);
		for (const { row } of entries.filter(isReplaced)) this.#replaced.add(row.id);
		return entries.filter((each) => !isReplaced(each));
	}

	async #standingOf(
		row: StoredRow,
		isOver: (row: StoredRow) => boolean,
	): Promise<Standing | undefined> {
		switch (row.state) {
			case 'sent':
			case 'bought':
				if (!isOver(row)) return 'theirs';
				if (this.#isRepeated(row)) return 'repeated';
				// A table that was full may not have taken how the run ended.
				return (await this.images.hasEndedWell(row)) ? 'ended' : 'free';
			case 'stopped':
			case 'told':
				return this.#isRepeated(row) ? 'repeated' : 'free';
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
	 * one execution. Nobody has read then that it may have been charged.
	 */
	#isRepeated(row: StoredRow): boolean {
		const { parent } = this.recording.place;
		return parent !== '' && row.parent === parent && storedResult(row) === undefined;
	}

	/** The ids of rows that dead processes would have removed. */
	leftOver(): number[] {
		return [...this.#replaced, ...this.processes.dead.map(({ id }) => id)];
	}
}
