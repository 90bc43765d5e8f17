import type { StoredExecution } from '../execution';
import { storedResult, type Entry, type Standing } from './entry';
import { isOpen, processOf, type StoredRow } from './purchaseTable';
import type { Recording } from './runRecord';

/** Milliseconds between two looks at a process that may be dead. */
const LOOK = 1000;

/** Milliseconds after which n8n has lost an execution of which it stored nothing. */
const LOST_AFTER = 60 * 60 * 1000;

/** What other runs of the node bought, as one run sees it. It changes nothing. */
export class OtherRuns {
	/** The rows of processes, at the last look. */
	#processRows: StoredRow[] = [];

	constructor(private readonly recording: Recording) {}

	/**
	 * Finds the purchases of these requests, the latest first. If a process that may be dead has one of them, it
	 * waits until that process gives a sign of life or its lease is over.
	 * @param most How many to find for each request at least, if there are so many.
	 */
	async find(requests: readonly string[], most: number): Promise<Entry[]> {
		const { table, process, signal } = this.recording;
		const read = async () => await table.find('request', requests, most);
		let entries = await this.judge(read);
		const firstLook = process.now();
		/** Whether its process may be dead or alive. One that is seen anew since the first look lives. */
		const isDoubtful = ({ row, standing }: Entry): boolean =>
			standing === 'theirs' &&
			!this.#isOwn(row) &&
			process.knows(table).sightings.lastSign(processOf(row.run)) <= firstLook;
		while (entries.some(isDoubtful) && !signal.aborted) {
			await process.wait(LOOK, signal);
			entries = await this.judge(read);
		}
		return entries;
	}

	/**
	 * Reads rows, and decides what each is to this run. The order is the proof that a process is dead: first
	 * its requests are read, then the rows of processes, which are there before any request and go after the
	 * last one has its last state, then the requests again.
	 */
	async judge(read: () => Promise<StoredRow[]>): Promise<Entry[]> {
		const { table, process } = this.recording;
		// A run may begin or end while the rows are read.
		const live = new Set([...process.live.keys()].filter((run) => process.isLive(run)));
		const isOver = (row: StoredRow): boolean =>
			this.#isOwn(row) ? !process.isLive(row.run) && !live.has(row.run) : this.#isDead(row);
		const rows = await read();
		const open = rows.filter(isOpen);
		if (!open.every((row) => this.#isOwn(row))) await this.#look();
		const dead = open.filter((row) => !this.#isOwn(row) && isOver(row)).map(({ id }) => id);
		const again = new Map((await table.find('id', dead)).map((row) => [row.id, row]));
		const entries = rows.map(async (first): Promise<Entry[]> => {
			const row = again.get(first.id) ?? first;
			// It was taken over or deleted meanwhile. One that another run has told of is still free.
			const isTaken = row.run !== first.run && row.state !== 'told';
			const isOfOther = isTaken || (dead.includes(row.id) && !again.has(row.id));
			const standing = isOfOther ? 'theirs' : await this.#standingOf(row, isOver);
			return standing === undefined ? [] : [{ row, result: storedResult(row), standing }];
		});
		return (await Promise.all(entries)).flat();
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
				return (await this.#isDelivered(row)) ? 'ended' : 'free';
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

	/** Whether the execution of a row ended well, and n8n's data of it has the link. */
	async #isDelivered(row: StoredRow): Promise<boolean> {
		const { process, n8n } = this.recording;
		if (this.#isOwn(row) || row.link === '' || row.execution === '') return false;
		const { isFailed, links } = await process.executions.ask(row.execution, n8n);
		return !isFailed && links.has(row.link);
	}

	/**
	 * Asks n8n whether it has stored an image whose run has ended. payments.md has the answers as a table.
	 * @returns false if nobody can know
	 */
	async isFree(row: StoredRow): Promise<boolean> {
		const { process, n8n } = this.recording;
		const { state, execution, parent, link } = row;
		const ask = async (id: string) => await process.executions.ask(id, n8n);
		if (state === 'failed') {
			if (execution === '') return true;
			const own = await ask(execution);
			if (own.links.has(link)) return false;
			// Without its link, other data is of an execution of that number in another database.
			return (
				own.kind === 'nothing' || own.kind === 'cut off' || (await this.#isLost(row, own.kind))
			);
		}
		if (parent !== '') {
			// Nobody can retry a sub-workflow by itself, and its caller begins a new one.
			const own = await ask(execution);
			if (own.isFailed) return true;
			const { kind } = await ask(parent);
			return kind === 'cut off' || (await this.#isLost(row, kind));
		}
		// As long as its process lives, the execution's signal would have told.
		if (state !== 'delivered' || this.#isOwn(row) || execution === '') return false;
		const { kind } = await ask(execution);
		return kind === 'cut off' || (await this.#isLost(row, kind));
	}

	/** Whether n8n has not noticed the end of an execution. */
	async #isLost(row: StoredRow, kind: StoredExecution['kind']): Promise<boolean> {
		const { process } = this.recording;
		if (kind !== 'unfinished' || this.#isOwn(row)) return false;
		const isOld = process.today() - Date.parse(row.updatedAt) >= LOST_AFTER;
		if (!isOld) return false;
		await this.#look();
		return this.#isDead(row);
	}

	/** The rows of processes that were dead at the last look. */
	deadProcesses(): StoredRow[] {
		return this.#processRows.filter((row) => !this.#isOwn(row) && this.#isDead(row));
	}

	/** Looks which processes there are. */
	async #look(): Promise<void> {
		const { table, process } = this.recording;
		const from = process.now();
		this.#processRows = await table.read({ state: 'running' });
		process.knows(table).sightings.note(this.#processRows, from, process.now());
	}

	#isOwn({ run }: StoredRow): boolean {
		return processOf(run) === this.recording.process.name;
	}

	#isDead({ run }: StoredRow): boolean {
		const { table, process } = this.recording;
		return process.knows(table).sightings.isDead(run);
	}
}
