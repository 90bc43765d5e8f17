import { fileOf, isCutOut, isSameFile, requestOf } from '../service/sameRequest';
import type { Job } from '../types';

/**
 * Lets equal requests of Remove Background share one purchase: the tool can return nothing new for the same image. An
 * edit or a prompt can, so those stay separate. Whole files are read only if their sizes and first bytes are equal.
 */
export async function shareCutOuts(jobs: readonly Job[]): Promise<void> {
	const firsts = new Map<string, Job[]>();
	for (const job of jobs) {
		if (!isCutOut(job)) continue;
		const request = requestOf(job);
		const alike = firsts.get(request) ?? [];
		const first = await findSame(job, alike);
		if (first === undefined) firsts.set(request, [...alike, job]);
		else job.sameAs = first;
	}
}

async function findSame(job: Job, alike: readonly Job[]): Promise<Job | undefined> {
	for (const first of alike) {
		const sha256 = await fileOf(first);
		// One that can't be read is like no other one.
		const isReadable = first.request.file === undefined || sha256 !== '';
		if (isReadable && (await isSameFile(job, sha256))) return first;
	}
	return undefined;
}
