import { settle, type Outcome } from '../failures/failures';
import { isDeadLink } from '../failures/retryDecision';
import type { Flight } from '../recall/journal';
import type { Purchase } from '../recall/purchase';
import type { Found } from '../recall/purchases';
import type { Recall } from '../recall/recall';
import type { FinishedRow, Job, Row } from '../types';
import { Slots } from '../wait';
import type { Batch, Known } from './batch';
import { buyJob, type Buying } from './buyJob';
import { deliver, isStillThere } from './deliver';

/** How a run gets its images. */
export interface Obtaining extends Buying {
	recall: Recall;
	/** How many jobs are processed at once, 1 or more. */
	concurrency: number;
	/** Whether no job starts after one fails. */
	stopsOnFail: boolean;
}

/** Delivers what is known, before anything is bought. An image of another run may be gone; then a newer one is used, or it is bought. */
export async function deliverKnown(attempt: Obtaining, batch: Batch): Promise<void> {
	const slots = new Slots(attempt.concurrency);
	const jobs = [...batch.known];
	await Promise.all(
		jobs.map(async ([job, known]) => {
			await slots.run(async () => void (await deliverOne(attempt, batch, job, known)));
		}),
	);
}

/** @returns false if the image is gone, and may be bought */
async function deliverOne(
	attempt: Obtaining,
	batch: Batch,
	job: Job,
	known: Known,
): Promise<boolean> {
	const { signal, purchases } = attempt;
	const { purchase, result, from } = known;
	if (signal.aborted) return true;
	const rows = await deliver(attempt, job, purchase, result);
	const mayBuy = from !== 'this execution';
	const isGone = mayBuy && (hasDeadLink(rows) || !(await isStillThere(attempt, job, result)));
	if (!isGone) {
		noteDelivery(batch, purchase, rows);
		return true;
	}
	purchases.letGo(job, purchase);
	attempt.recall.markDead(purchase);
	batch.known.delete(job);
	batch.gone.add(job);
	return false;
}

function hasDeadLink(rows: ReadonlyMap<Row, Outcome<FinishedRow>>): boolean {
	return [...rows.values()].some((outcome) => 'failure' in outcome && isDeadLink(outcome.failure));
}

/**
 * Buys the jobs that are not known and were not refused, with limited concurrency, started in order. Waits for all that have
 * started. After Stop, or a failure that stops the run, no further job starts and no paid request goes out. A job that waits
 * for another run's request holds up no other.
 */
export async function obtainRest(attempt: Obtaining, batch: Batch): Promise<void> {
	const halt = new AbortController();
	const ended = AbortSignal.any([attempt.signal, halt.signal]);
	const slots = new Slots(attempt.concurrency);
	await Promise.all(
		batch.open.map(async (job) => {
			let flight = batch.waits.get(job);
			let isWaiting = true;
			while (isWaiting && !ended.aborted) {
				const awaited = flight;
				if (awaited !== undefined) await attempt.recall.waitFor(awaited);
				flight = await slots.run(async () => await obtain(attempt, batch, job, awaited, ended));
				isWaiting = flight !== undefined;
			}
			if (attempt.stopsOnFail && batch.hasFailed(job)) halt.abort();
		}),
	);
}

/**
 * Gets a job its image.
 * @param awaited The request under way that it has waited for, whose image may be there now.
 * @returns a request to wait for first
 */
async function obtain(
	attempt: Obtaining,
	batch: Batch,
	job: Job,
	awaited: Flight | undefined,
	ended: AbortSignal,
): Promise<Flight | undefined> {
	const { recall } = attempt;
	const { gone } = batch;
	const isEnded = () => ended.aborted;
	if (isEnded()) return undefined;
	if (awaited !== undefined || gone.has(job)) {
		const equal = awaited === undefined ? undefined : recall.imageOfEqualCall(awaited);
		let found = equal ?? (await recall.find(job));
		while (found !== undefined && !isEnded()) {
			if (await useFound(attempt, batch, job, found)) return undefined;
			found = await recall.find(job);
		}
		const next = await recall.flightFor(job);
		if (next !== undefined) return next;
	}
	await recall.learnFile(job);
	// From here on in one tick, so that no other run begins the same meanwhile.
	let look = recall.lookNow(job);
	while (look !== undefined && !isEnded()) {
		if (!('holders' in look)) return look;
		if (await useFound(attempt, batch, job, look)) return undefined;
		look = recall.lookNow(job);
	}
	if (isEnded()) return undefined;
	await buyAndDeliver(attempt, batch, job, ended);
	return undefined;
}

/** @returns false if another run has it meanwhile, or its link does not give the image */
async function useFound(
	attempt: Obtaining,
	batch: Batch,
	job: Job,
	found: Found,
): Promise<boolean> {
	const { purchases, limits } = attempt;
	const { known, planned } = batch;
	const purchase = purchases.use(job, found);
	if (purchase === undefined) return false;
	const used: Known = { purchase, result: found.purchase.result, from: 'another run' };
	known.set(job, used);
	const isDelivered = await deliverOne(attempt, batch, job, used);
	if (isDelivered && planned.delete(job)) limits.giveBack(1);
	return isDelivered;
}

async function buyAndDeliver(
	attempt: Obtaining,
	batch: Batch,
	job: Job,
	ended: AbortSignal,
): Promise<void> {
	const { limits, recall } = attempt;
	const { planned } = batch;
	for (const unclear of recall.unclearBefore(job)) batch.unclearBefore.set(unclear.entry, unclear);
	if (!planned.has(job)) {
		const full = limits.refusal(1);
		if (full !== undefined) {
			batch.setAll(job, { failure: { ...full, isNothingSent: false } });
			return;
		}
		limits.plan(1);
	}
	const bought = await settle(buyJob(attempt, job, ended));
	if ('failure' in bought) {
		batch.setAll(job, bought);
		return;
	}
	const { purchase, result } = bought.value;
	noteDelivery(batch, purchase, await deliver(attempt, job, purchase, result));
}

function noteDelivery(
	batch: Batch,
	purchase: Purchase,
	rows: ReadonlyMap<Row, Outcome<FinishedRow>>,
): void {
	for (const [row, outcome] of rows) batch.set(row, outcome);
	if ([...rows.values()].every((outcome) => 'failure' in outcome)) batch.undelivered.push(purchase);
}
