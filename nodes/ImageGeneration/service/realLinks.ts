import type { JobResult } from '../types';

/**
 * The links of this process's job results as the service sent them. A result that people and storage
 * receive has the key hidden in its link, so the real one exists only in memory.
 */
const realLinks = new WeakMap<JobResult, string>();

export function keepLink(job: JobResult, link: string): void {
	realLinks.set(job, link);
}

/** @returns undefined if the result was stored since, because then its link may lack the key. */
export function realLink(job: JobResult): string | undefined {
	return realLinks.get(job);
}
