import type { Recording } from '../runRecord';
import { processOf, type StoredRow } from '../table/purchaseTable';

/** Milliseconds between two looks at a process that may be dead. */
const LOOK = 1000;

/** The n8n processes that use a table, as one run sees them. */
export class OtherProcesses {
	/** Their rows, at the last look. */
	#rows: StoredRow[] = [];

	/** When this run had looked for the first time. */
	#firstLook = Infinity;

	constructor(private readonly recording: Recording) {}

	/** Looks which processes there are. */
	async look(): Promise<void> {
		const { table, process } = this.recording;
		const from = process.now();
		this.#rows = await table.read({ state: 'running' });
		process.stateOf(table).sightings.note(this.#rows, from, process.now());
		this.#firstLook = Math.min(this.#firstLook, process.now());
	}

	/** Whether a row is of this process, and of no other one. */
	isThis({ run }: StoredRow): boolean {
		return processOf(run) === this.recording.process.name;
	}

	/** Whether the process of a row was dead at the last look. */
	isDead(row: StoredRow): boolean {
		const { table, process } = this.recording;
		return !this.isThis(row) && process.stateOf(table).sightings.isDead(row.run);
	}

	/** Whether the process of a row may be dead or alive. One that is seen anew since the first look lives. */
	mayBeDead(row: StoredRow): boolean {
		const { table, process } = this.recording;
		if (this.isThis(row) || this.isDead(row)) return false;
		return process.stateOf(table).sightings.lastSign(processOf(row.run)) <= this.#firstLook;
	}

	/** Waits until the next look. */
	async wait(): Promise<void> {
		const { process, signal } = this.recording;
		await process.wait(LOOK, signal);
	}

	/** The rows of those that were dead at the last look. */
	get dead(): StoredRow[] {
		return this.#rows.filter((row) => this.isDead(row));
	}
}
