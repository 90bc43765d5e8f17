import type { StoredExecution } from '../../execution';
import { settle } from '../../failures/failures';
import type { Recording } from '../runRecord';
import type { StoredRow } from '../table/purchaseTable';
import type { OtherProcesses } from './otherProcesses';

/** Milliseconds after which n8n has lost an execution of which it stored nothing. */
const LOST_AFTER = 60 * 60 * 1000;

/** Which images of other runs n8n has stored. payments.md has its answers as a table. */
export class StoredImages {
	/** What n8n has told this attempt of executions that go on. */
	readonly #unfinished = new Map<string, StoredExecution>();

	constructor(
		private readonly recording: Recording,
		private readonly processes: OtherProcesses,
	) {}

	/**
	 * Whether nothing of an image has reached its user, although its run has ended.
	 * @returns false if nobody can know
	 */
	async isLeft(row: StoredRow): Promise<boolean> {
		const { state, execution, parent } = row;
		if (state === 'failed') {
			// Without an execution, as in n8n's Agents, or without its data, there is nothing to retry.
			const canBeRetried = execution !== '' && (await this.#ask(execution)) !== undefined;
			return !canBeRetried || (await this.#isCutOff(execution, row));
		}
		if (execution === '') return false;
		if (parent !== '') {
			// With its caller, n8n begins a sub-workflow anew.
			return (await this.#failedIn(execution, row)) || (await this.#isCutOff(parent, row));
		}
		// As long as its process lives, the execution's signal would have told.
		return !this.processes.isThis(row) && (await this.#isCutOff(execution, row));
	}

	/** Whether an image was delivered, although the table does not say so. */
	async isDelivered(row: StoredRow): Promise<boolean> {
		const { execution, parent, link } = row;
		if (this.processes.isThis(row) || link === '' || execution === '') return false;
		const stored = await this.#ask(execution);
		if (stored === undefined || stored === 'no answer' || !stored.links.has(link)) return false;
		// A sub-workflow that failed is begun anew.
		return !stored.isFailed || parent === '';
	}

	/** Whether an execution ran further nodes after a row was changed, as far as n8n has stored it: it saves progress. */
	async hasGoneOn(execution: string, row: StoredRow): Promise<boolean> {
		const stored = await this.#ask(execution);
		if (stored === undefined || stored === 'no answer') return false;
		return stored.lastNodeEnd > lastChange(row);
	}

	/** Whether the sub-workflow that has an image failed. */
	async #failedIn(execution: string, row: StoredRow): Promise<boolean> {
		const stored = await this.#ask(execution);
		if (stored === undefined || stored === 'no answer' || !stored.isFailed) return false;
		return stored.links.has(row.link) || (await this.#isCutOff(execution, row));
	}

	/**
	 * Whether n8n has lost an image with an execution: its own, or the one that runs this as a sub-workflow. n8n has an
	 * error, and no output that tells otherwise. Or its process is dead, and n8n was killed or has stored no end for an
	 * hour.
	 * @returns false if n8n has the image, or data that came later, or no data at all; if it goes on; if nobody can know
	 */
	async #isCutOff(execution: string, row: StoredRow): Promise<boolean> {
		const stored = await this.#ask(execution);
		if (stored === undefined || stored === 'no answer') return false;
		const { isFailed, isComplete, isRecovered, lastNodeEnd, links, keptLinks } = stored;
		const isKept = row.state === 'failed' && keptLinks.has(row.link);
		if (isKept || links.has(row.link) || lastNodeEnd > lastChange(row)) return false;
		// Complete data lacks the link if a sub-workflow does not return it, if somebody has edited the link, or if this
		// is another execution of that number: of a database from which somebody has brought the log into this one.
		if (isComplete) return false;
		return isFailed || (await this.#isLost(row, isRecovered));
	}

	/**
	 * Whether an execution has no error because n8n was killed in a loop, or has not noticed its death. It waits
	 * until its process is known to be dead or alive: Retry of a killed execution also begins with what n8n makes up.
	 */
	async #isLost(row: StoredRow, isRecovered: boolean): Promise<boolean> {
		const { process, signal } = this.recording;
		const isOld = process.timeOfDay() - lastChange(row) >= LOST_AFTER;
		if (this.processes.isThis(row) || !(isRecovered || isOld)) return false;
		await this.processes.look();
		while (this.processes.mayBeDead(row) && !signal.aborted) {
			await this.processes.wait();
			await this.processes.look();
		}
		return this.processes.isDead(row);
	}

	/** From now on it asks anew what goes on. */
	askAnew(): void {
		this.#unfinished.clear();
	}

	/** Asks n8n about an execution, unless it has said that it goes on. */
	async #ask(id: string): Promise<StoredExecution | undefined | 'no answer'> {
		const { process, n8n } = this.recording;
		const known = this.#unfinished.get(id);
		if (known !== undefined) return known;
		const answer = await settle(process.executions.ask(id, n8n));
		if ('failure' in answer) return 'no answer';
		const stored = answer.value;
		if (stored !== undefined && !stored.isFailed && !stored.isComplete) {
			// It goes on, as far as n8n knows, so others ask again.
			process.executions.forget(id);
			this.#unfinished.set(id, stored);
		}
		return stored;
	}
}

/**
 * When a row was changed last, in milliseconds. n8n dates what it changes by its own clock, and a new row by the
 * database's, which may be slow; the time of the request is by n8n's clock again (2.41.1).
 */
function lastChange({ time, updatedAt }: StoredRow): number {
	const times = [time, updatedAt].map((each) => Date.parse(each));
	return Math.max(...times.filter((each) => !Number.isNaN(each)));
}
