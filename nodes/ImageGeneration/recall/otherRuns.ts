import type { StoredExecution } from '../execution';
import { settle } from '../failures/failures';
import { lastChange, storedResult, type Entry, type Standing } from './entry';
import { isOpen, processOf, type StoredRow } from './purchaseTable';
import type { Recording } from './runRecord';

/** Milliseconds between two looks at a process that may be dead. */
const LOOK = 1000;

/** Milliseconds after which n8n has lost an execution of which it stored nothing. */
const LOST_AFTER = 60 * 60 * 1000;

/**
 * What has become of an image whose run has ended:
 * - `stored`: n8n has it, or data of later.
 * - `cut off`: n8n has an error, and nothing of later; or its process is dead, and n8n was killed, or has noticed
 *   nothing for an hour.
 * - `unfinished`: its execution goes on, as far as n8n knows.
 * - `not saved`: n8n has no data.
 * - `unknown`: n8n does not answer.
 */
type Fate = 'stored' | 'cut off' | 'unfinished' | 'not saved' | 'unknown';

/** What other runs of the node bought, as one run sees it. It changes nothing. */
export class OtherRuns {
	/** The rows of processes, at the last look. */
	#processRows: StoredRow[] = [];

	/** When this run had looked at them for the first time. */
	#firstLook = Infinity;

	/** The ids of rows that dead processes have replaced. */
	readonly #replaced = new Set<number>();

	constructor(private readonly recording: Recording) {}

	/**
	 * Finds the purchases of these requests, the latest first. If a process that may be dead has one of them, it
	 * waits until that process gives a sign of life or its lease is over.
	 * @param perRequest How many to find for each request at least, if there are so many.
	 */
	async find(requests: readonly string[], perRequest: number): Promise<Entry[]> {
		const { table, process, signal } = this.recording;
		const read = async () => await table.find('request', requests, perRequest);
		let entries = await this.judge(read);
		const isDoubtful = ({ row, standing }: Entry) =>
			standing === 'theirs' && this.#mayBeDead(row);
		while (entries.some(isDoubtful) && !signal.aborted) {
			await process.wait(LOOK, signal);
			entries = await this.judge(read);
		}
		return entries;
	}

	/** Whether a row's process may be dead or alive. One that is seen anew since this run's first look lives. */
	#mayBeDead(row: StoredRow): boolean {
		const { table, process } = this.recording;
		if (this.#isOfThisProcess(row) || this.#isDead(row)) return false;
		return process.knows(table).sightings.lastSign(processOf(row.run)) <= this.#firstLook;
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
			this.#isOfThisProcess(row)
				? !process.isLive(row.run) && !live.has(row.run)
				: this.#isDead(row);
		const rows = await read();
		const open = rows.filter(isOpen);
		if (!open.every((row) => this.#isOfThisProcess(row))) await this.#look();
		const dead = open
			.filter((row) => !this.#isOfThisProcess(row) && isOver(row))
			.map(({ id }) => id);
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
				return (await this.#hasEndedWell(row)) ? 'ended' : 'free';
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

	/** Whether the execution of a row ended well, although the table does not say so. */
	async #hasEndedWell(row: StoredRow): Promise<boolean> {
		if (this.#isOfThisProcess(row) || row.link === '' || row.execution === '') return false;
		const stored = await this.#ask(row.execution);
		if (stored === undefined || stored === 'no answer') return false;
		return !stored.isFailed && stored.lastNodeEnd > lastChange(row);
	}

	/**
	 * Asks n8n whether nothing of an image has reached its user, although its run has ended. payments.md has the
	 * answers as a table.
	 * @returns false if nobody can know
	 */
	async isUnstored(row: StoredRow): Promise<boolean> {
		const { state, execution, parent } = row;
		if (state === 'failed') {
			if (execution === '') return true;
			const fate = await this.#fateIn(execution, row);
			return fate === 'cut off' || fate === 'not saved';
		}
		if (execution === '') return false;
		if (parent !== '') {
			// Nobody can retry a sub-workflow by itself, and its caller begins a new one.
			const own = await this.#ask(execution);
			if (own !== 'no answer' && own?.isFailed === true) return true;
			return (await this.#fateIn(parent, row)) === 'cut off';
		}
		// As long as its process lives, the execution's signal would have told.
		return !this.#isOfThisProcess(row) && (await this.#fateIn(execution, row)) === 'cut off';
	}

	/** What has become of an image in an execution: its own, or the one that runs this as a sub-workflow. */
	async #fateIn(execution: string, row: StoredRow): Promise<Fate> {
		const stored = await this.#ask(execution);
		if (stored === undefined) return 'not saved';
		if (stored === 'no answer') return 'unknown';
		const { isFailed, isRecovered, lastNodeEnd, links, keptLinks } = stored;
		const isKept = row.state === 'failed' && keptLinks.has(row.link);
		// What a node returned before may be what Retry, or a pause, began with. Later data without the link is of an
		// execution of that number in another database, or of one whose data n8n hides.
		if (isKept || links.has(row.link) || lastNodeEnd > lastChange(row)) return 'stored';
		if (isFailed) return 'cut off';
		this.recording.process.executions.forget(execution);
		return (await this.#isLost(row, isRecovered)) ? 'cut off' : 'unfinished';
	}

	/** Asks n8n about an execution. */
	async #ask(id: string): Promise<StoredExecution | undefined | 'no answer'> {
		const { process, n8n } = this.recording;
		const answer = await settle(process.executions.ask(id, n8n));
		return 'value' in answer ? answer.value : 'no answer';
	}

	/**
	 * Whether an execution has no error because n8n was killed in a loop, or has not noticed its death. If its process
	 * may be dead, it waits as {@link find} does: Retry of a killed execution also begins with what n8n makes up.
	 */
	async #isLost(row: StoredRow, isRecovered: boolean): Promise<boolean> {
		const { process, signal } = this.recording;
		if (this.#isOfThisProcess(row)) return false;
		const isOld = process.today() - lastChange(row) >= LOST_AFTER;
		if (!isRecovered && !isOld) return false;
		await this.#look();
		while (this.#mayBeDead(row) && !signal.aborted) {
			await process.wait(LOOK, signal);
			await this.#look();
		}
		return this.#isDead(row);
	}

	/** The ids of rows that dead processes would have removed. */
	leftOver(): number[] {
		const dead = this.#processRows.filter(
			(row) => !this.#isOfThisProcess(row) && this.#isDead(row),
		);
		return [...this.#replaced, ...dead.map(({ id }) => id)];
	}

	/** Looks which processes there are. */
	async #look(): Promise<void> {
		const { table, process } = this.recording;
		const from = process.now();
		this.#processRows = await table.read({ state: 'running' });
		process.knows(table).sightings.note(this.#processRows, from, process.now());
		this.#firstLook = Math.min(this.#firstLook, process.now());
	}

	#isOfThisProcess({ run }: StoredRow): boolean {
		return processOf(run) === this.recording.process.name;
	}

	#isDead({ run }: StoredRow): boolean {
		const { table, process } = this.recording;
		return process.knows(table).sightings.isDead(run);
	}
}
