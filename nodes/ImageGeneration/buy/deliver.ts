import { Failed, settle, type Failure } from '../failures/failures';
import { IncompleteTries } from '../images/checkImage';
import { download, lookFor } from '../service/download';
import { referenceTo } from '../service/jobResults';
import type { FinishedJob, Job, JobResult } from '../types';
import type { Buying } from './buyJob';
import { requestLoop } from './requestLoop';

/**
 * Downloads the image of a paid job, unless an earlier attempt did. Continues if the run fails, because
 * this image is paid for; only Stop ends it.
 */
export async function deliver(attempt: Buying, job: Job, result: JobResult): Promise<FinishedJob> {
	const { context, service, memory, limiters, log, signal } = attempt;
	if (job.outputField === undefined) {
		attempt.noteMade(job, result);
		return { result };
	}
	const known = memory.imageOf(job);
	if (known !== undefined) return { result, image: known };
	const tries = new IncompleteTries();
	const send = async () => await download(context, service, result, job, tries, signal);
	const outcome = await requestLoop(log, signal, job, limiters.downloads, send);
	if ('value' in outcome) {
		const { image, isWhole, file } = outcome.value;
		attempt.noteMade(job, result, file);
		if (!isWhole) return { result, image, mayBeIncomplete: true };
		memory.addImage(job, image);
		return { result, image };
	}
	const { failure } = outcome;
	// After Stop, a download that has not begun leaves only the link.
	if (failure.kind === 'not started') return { result };
	// The last refusal of any download, if this one was given up before it was sent.
	const own = failure.kind === 'rate limited' ? failure.refusal : failure;
	memory.addUndelivered(payerOf(job));
	throw new Failed(own.kind === 'download' ? { ...own, job: referenceTo(result) } : own);
}

/** The job that pays for a job's image: itself, or the one that it shares a purchase with. */
export function payerOf(job: Job): Job {
	return job.sameAs ?? job;
}

/** Looks whether images are there that are delivered without downloading them. */
export class Lookout {
	/** Whether it got no clear answer, so that it looks for no other one. */
	#isUnclear = false;

	constructor(private readonly attempt: Buying) {}

	/** Whether the service no longer has the image of a job, as far as it says. */
	async hasVanished(job: Job, result: JobResult): Promise<boolean> {
		if (job.outputField !== undefined || this.#isUnclear) return false;
		const { context, service, signal } = this.attempt;
		const looked = await settle(lookFor(context, service, result, job, signal));
		if ('value' in looked) return false;
		this.#isUnclear = !isGone(looked.failure);
		return !this.#isUnclear;
	}
}

/** Whether the service no longer has the image. A link that may lack the key does not tell. */
export function isGone(failure: Failure): boolean {
	return failure.kind === 'download' && failure.reason === 'gone' && !failure.mayLackKey;
}
