import type { StoredExecution } from '../execution';
import { settle } from '../failures/failures';
import { lastChange } from './entry';
import type { OtherProcesses } from './otherProcesses';
import type { StoredRow } from './purchaseTable';
import type { Recording } from './runRecord';

/** Milliseconds after which n8n has lost an execution of which it stored nothing. */
const LOST_AFTER = 60 * 60 * 1000;

/**
 * What has become of an image whose run has ended:
 * - `stored`: n8n has the image, or data that came later.
 * - `cut off`: n8n has neither, but an error. Or its process is dead, and n8n was killed or has stored no end for an
 *   hour.
 * - `unfinished`: its execution goes on, as far as n8n knows.
 * - `not saved`: n8n has no data.
 * - `unknown`: n8n does not answer.
 */
type Fate = 'stored' | 'cut off' | 'unfinished' | 'not saved' | 'unknown';

/** Which images of other runs n8n has stored. payments.md has its answers as a table. */
export class StoredImages {
	constructor(
		private readonly recording: Recording,
		private readonly processes: OtherProcesses,
	) {}

	/**
	 * Whether nothing of an image has reached its user, although its run has ended.
	 * @returns false if nobody can know
	 */
	async isFree(row: StoredRow): Promise<boolean> {
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
		return !this.processes.isThis(row) && (await this.#fateIn(execution, row)) === 'cut off';
	}

	/** Whether an image was delivered, although the table does not say so. */
	async isDelivered(row: StoredRow): Promise<boolean> {
		const { execution, link } = row;
		if (this.processes.isThis(row) || link === '' || execution === '') return false;
		const stored = await this.#ask(execution);
		if (stored === undefined || stored === 'no answer' || stored.isFailed) return false;
		const isStored = stored.links.has(link);
		if (!isStored) this.#askAgain(execution);
		return isStored;
	}

	/** What has become of an image in an execution: its own, or the one that runs this as a sub-workflow. */
	async #fateIn(execution: string, row: StoredRow): Promise<Fate> {
		const stored = await this.#ask(execution);
		if (stored === undefined) return 'not saved';
		if (stored === 'no answer') return 'unknown';
		const { isFailed, isRecovered, lastNodeEnd, links, keptLinks } = stored;
		const isKept = row.state === 'failed' && keptLinks.has(row.link);
		// What a node returned before may be what Retry, or a pause, began with. Later data without the link is of an
		// execution of that number in another database.
		if (isKept || links.has(row.link) || lastNodeEnd > lastChange(row)) return 'stored';
		if (isFailed) return 'cut off';
		this.#askAgain(execution);
		return (await this.#isLost(row, isRecovered)) ? 'cut off' : 'unfinished';
	}

	/**
	 * Whether an execution has no error because n8n was killed in a loop, or has not noticed its death. It waits
	 * until its process is known to be dead or alive: Retry of a killed execution also begins with what n8n makes up.
	 */
	async #isLost(row: StoredRow, isRecovered: boolean): Promise<boolean> {
		const { process, signal } = this.recording;
		const isOld = process.today() - lastChange(row) >= LOST_AFTER;
		if (this.processes.isThis(row) || !(isRecovered || isOld)) return false;
		await this.processes.look();
		while (this.processes.mayBeDead(row) && !signal.aborted) {
			await this.processes.wait();
			await this.processes.look();
		}
		return this.processes.isDead(row);
	}

	/** Asks n8n about an execution. */
	async #ask(id: string): Promise<StoredExecution | undefined | 'no answer'> {
		const { process, n8n } = this.recording;
		const answer = await settle(process.executions.ask(id, n8n));
		return 'value' in answer ? answer.value : 'no answer';
	}

	/** It goes on, as far as n8n knows. */
	#askAgain(id: string): void {
		this.recording.process.executions.forget(id);
	}
}
