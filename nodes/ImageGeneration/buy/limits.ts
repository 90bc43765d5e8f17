import type { IContextObject } from 'n8n-workflow';

import { roomUnder, type LimitReached } from '../failures/failures';
import type { Journal } from '../recall/journal';
import type { NodeRun } from '../recall/nodeRun';
import type { Purchase } from '../recall/purchase';

export const DAY = 24 * 60 * 60 * 1000;

/** What counts towards a limit. */
type Count = Pick<LimitReached, 'per' | 'max' | 'bought' | 'planned' | 'freeIn'>;

/** What the limits of a run count in. */
interface Counting {
	process: { readonly journal: Journal; timeOfDay(): number };
	run: NodeRun;
	/** The node's data in the execution: n8n stores the count for later rounds, attempts, calls and Retry. */
	context: IContextObject;
	/** 1 or more; Infinity means no limit. */
	maxImages: number;
	maxImagesPerDay: number;
	/** The node's purchases in the Purchase Log, as they were when the run started. */
	logged: readonly Purchase[];
	/** Whether an AI agent reads the message. */
	isTool: boolean;
}

/**
 * Max Images and Max Images per Day: what the node bought, may have bought, or is going to buy. A run counts whole from its
 * start, and nobody waits for a place.
 */
export class Limits {
	constructor(private readonly counting: Counting) {}

	/** Why this many more images can't be bought; undefined if they can. */
	refusal(needed: number): LimitReached | undefined {
		// What is there already costs nothing, even if the limit was lowered.
		if (needed === 0) return undefined;
		const [full] = this.#counts.sort((one, other) => roomUnder(one) - roomUnder(other));
		if (full === undefined || needed <= roomUnder(full)) return undefined;
		return {
			kind: 'limit reached',
			...full,
			needed,
			isNothingSent: true,
			isTool: this.counting.isTool,
		};
	}

	/** How many of these images can be bought. */
	room(needed: number): number {
		return Math.min(needed, ...this.#counts.map(roomUnder));
	}

	/** Counts images that the run is going to buy. */
	plan(images: number): void {
		this.counting.run.planned += images;
		this.#inExecution += images;
	}

	/** Counts images no longer that the run was going to buy. */
	giveBack(images: number): void {
		const { run } = this.counting;
		run.planned = Math.max(0, run.planned - images);
		this.#inExecution -= images;
	}

	/** The purchase of a planned image is in the journal, which counts it for the day from now on. */
	enter(): void {
		this.counting.run.planned = Math.max(0, this.counting.run.planned - 1);
	}

	/** A request that the journal had was definitely not charged. */
	notCharged(): void {
		this.#inExecution -= 1;
	}

	/** Ends a run. @param isDelivered Whether n8n has its output, so that nobody retries it. */
	end(isDelivered: boolean): void {
		const { context, maxImages } = this.counting;
		const isNeeded = maxImages < Infinity || !isDelivered;
		if (this.#inExecution <= 0 || !isNeeded) delete context.imagesBought;
	}

	get #inExecution(): number {
		return Number(this.counting.context.imagesBought ?? 0);
	}

	set #inExecution(images: number) {
		this.counting.context.imagesBought = Math.max(0, images);
	}

	/** What counts towards the limits that are set. */
	get #counts(): Count[] {
		const { maxImages, maxImagesPerDay, run } = this.counting;
		const counts: Count[] = [];
		if (maxImages < Infinity) {
			counts.push({
				per: 'execution',
				max: maxImages,
				bought: Math.max(0, this.#inExecution - run.planned),
				planned: run.planned,
			});
		}
		if (maxImagesPerDay < Infinity) counts.push(this.#countOfDay(maxImagesPerDay));
		return counts;
	}

	/** Counts what was bought in the last 24 hours, in this process and in the log, and what runs of this process plan. */
	#countOfDay(max: number): Count {
		const { process, run, logged } = this.counting;
		const now = process.timeOfDay();
		const times = new Map<string, number>();
		for (const { entry, time } of [...logged, ...process.journal.of(run.node)]) {
			if (now - time < DAY) times.set(entry, time);
		}
		const sorted = [...times.values()].sort((a, b) => a - b);
		// If there is no place: once so many of the oldest are a day old that there is one.
		const next = sorted[sorted.length - max];
		return {
			per: 'day',
			max,
			bought: sorted.length,
			planned: process.journal.plannedBy(run.node),
			freeIn: next === undefined ? 0 : next + DAY - now,
		};
	}
}
