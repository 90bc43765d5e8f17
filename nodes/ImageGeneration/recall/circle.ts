import { BadInput, type Failure } from '../failures/failures';
import type { Job, JobRequest } from '../types';
import { quote } from '../values/text';
import type { Journal } from './journal';
import type { Purchase } from './purchase';
import { fileOf, hasSameFile, instructionOf } from './requestKey';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** A result of a result is the last: what is made of it is the third generation. */
const MOST_GENERATIONS = 2;

/** Executions of a node that buy the same in an hour. */
const MOST_EQUAL = 20;

/** The published execution that asks. */
interface Asking {
	journal: Journal;
	node: string;
	execution: string;
	/** Milliseconds since 1970. */
	now: number;
}

/** Looks whether a workflow triggers itself. One for each run. */
export class CircleWatch {
	/** The results of other published executions, by instruction and size, or by instruction and link. */
	#results: Map<string, Purchase[]> | undefined;

	constructor(private readonly asking: Asking) {}

	/**
	 * Finds out whether a job works on a result of this node that comes in again with the same instruction, and notes its
	 * generation. Reads a file only if a result has its size.
	 * @returns why it is refused, if it works on a result of a result: a circle has no end, and a person stops.
	 */
	async refuseCircle(job: Job): Promise<Failure | undefined> {
		const made = await this.#resultThatCameBack(job.request);
		if (made === undefined) return undefined;
		job.generation = made.generation + 1;
		if (job.generation <= MOST_GENERATIONS) return undefined;
		const { file, textParts } = job.request;
		const what = file === undefined ? quote(textParts.image) : `The file ${quote(file.name)}`;
		return new BadInput(
			`${what} was made by this node from its own result, in execution ${made.execution}. The workflow seems to trigger itself.`,
			'Save the images in another place than the one that the trigger watches, or filter out those that are finished. To work on this image again, use another Image Generation node.',
		).failure;
	}

	/** Why a job is refused whose request many published executions of the node have bought within an hour. */
	refuseRepetition({ requestKey, request }: Job): Failure | undefined {
		const { journal, node, execution, now } = this.asking;
		const same = journal
			.ofRequest(requestKey)
			.filter((each) => each.node === node && !each.isManual && now - each.time <= HOUR)
			.filter((each) => hasSameFile(request, each.file));
		const executions = new Set(same.map((each) => each.execution));
		executions.delete(execution);
		if (executions.size < MOST_EQUAL) return undefined;
		return new BadInput(
			`This workflow seems to trigger itself: ${executions.size} executions have bought the same image within an hour.`,
			"Change the trigger or add a filter, so that what the workflow writes does not start it again. If it is meant, set 'Max Images per Day'.",
		).failure;
	}

	async #resultThatCameBack(request: JobRequest): Promise<Purchase | undefined> {
		const { file, textParts } = request;
		if (file === undefined && textParts.image === undefined) return undefined;
		this.#results ??= this.#resultsOfOthers();
		const seen = file?.size ?? textParts.image;
		const alike = this.#results.get(`${instructionOf(request)} ${seen}`) ?? [];
		if (file === undefined || alike.length === 0) return alike[0];
		const sha256 = await fileOf(request);
		return alike.find(({ output }) => output?.sha256 === sha256);
	}

	#resultsOfOthers(): Map<string, Purchase[]> {
		const { journal, node, execution, now } = this.asking;
		const results = new Map<string, Purchase[]>();
		for (const purchase of journal.of(node)) {
			const isOwn = purchase.execution === execution || purchase.holder === execution;
			if (isOwn || purchase.isManual || now - purchase.time > DAY) continue;
			const { instruction, output, result } = purchase;
			for (const seen of [output?.size, result?.output_url]) {
				const same = results.get(`${instruction} ${seen}`) ?? [];
				same.push(purchase);
				results.set(`${instruction} ${seen}`, same);
			}
		}
		return results;
	}
}
