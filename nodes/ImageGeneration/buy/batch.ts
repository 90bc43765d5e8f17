import { notStarted, type Outcome } from '../failures/failures';
import type { Flight } from '../recall/journal';
import type { Purchase } from '../recall/purchase';
import type { Found } from '../recall/purchases';
import type { FinishedRow, InvalidRow, Job, JobResult, Row, RowOutcome } from '../types';

/** The image of a job that need not be bought. */
export interface Known {
	purchase: Purchase;
	result: JobResult;
	/** Whether this execution bought it, the one that Retry continues, or a run of another one. */
	from: 'this execution' | 'Retry' | 'another run';
}

/** The rows of a run in the order of its output, the jobs that they need, and what came of each so far. */
export class Batch {
	/** The jobs whose image is there. */
	readonly known = new Map<Job, Known>();

	/** The images that were found for jobs, and that are not used yet. */
	readonly found = new Map<Job, Found>();

	/** Requests under way whose images jobs wait for. */
	readonly waits = new Map<Job, Flight>();

	/** The jobs that count towards the limits. */
	readonly planned = new Set<Job>();

	/** The jobs whose image was found, and is no longer behind its link. */
	readonly gone = new Set<Job>();

	/** Purchases of the run whose images it could not download. */
	readonly undelivered: Purchase[] = [];

	/** Earlier requests for the same that may have been charged, by entry. */
	readonly unclearBefore = new Map<string, Purchase>();

	readonly #outcomes = new Map<Row, Outcome<FinishedRow>>();

	readonly #jobs = new Map<Row, Job>();

	constructor(
		private readonly rows: ReadonlyArray<Row | InvalidRow>,
		readonly jobs: readonly Job[],
	) {
		for (const job of jobs) for (const row of job.rows) this.#jobs.set(row, job);
	}

	/** The jobs that have neither an image nor an outcome. */
	get open(): Job[] {
		return this.jobs.filter((job) => !this.known.has(job) && !this.#outcomes.has(job.rows[0]));
	}

	/** Those of them for which nothing is there, and nothing to wait for. */
	get toBuy(): Job[] {
		return this.open.filter((job) => !this.found.has(job) && !this.waits.has(job));
	}

	set(row: Row, outcome: Outcome<FinishedRow>): void {
		this.#outcomes.set(row, outcome);
	}

	/** Sets what came of all rows of a job. */
	setAll({ rows }: Job, outcome: Outcome<FinishedRow>): void {
		for (const row of rows) this.set(row, outcome);
	}

	/** Whether a row of a job has failed. */
	hasFailed({ rows }: Job): boolean {
		return rows.some((row) => 'failure' in (this.#outcomes.get(row) ?? {}));
	}

	/** Whether every row has its image. */
	get isComplete(): boolean {
		return this.outcomes.every(({ outcome }) => 'value' in outcome);
	}

	/** What came of each row. One that is not known has not started. */
	get outcomes(): RowOutcome[] {
		return this.rows.map((row) => {
			if ('problem' in row) return { row, job: undefined, outcome: { failure: row.problem } };
			const job = this.#jobs.get(row);
			return { row, job, outcome: this.#outcomes.get(row) ?? this.#outcomeKnown(job) };
		});
	}

	/** What is known of a job that has not been delivered yet. */
	#outcomeKnown(job: Job | undefined): Outcome<FinishedRow> {
		const known = job === undefined ? undefined : this.known.get(job);
		return known === undefined ? notStarted : { value: { result: known.result } };
	}
}
