import type { Run } from '../run';
import type { Job } from '../types';
import { requestHash } from './requestHash';

/** What identifies the node and the account that a run buys for. */
export type RunOfNode = Pick<Run, 'context' | 'node' | 'service'>;

/**
 * Returns a function that gives each job the key of its purchase: account, node, request, and the number
 * of equal requests before it in this run.
 */
export function purchaseKeys(run: RunOfNode): (job: Job) => Promise<string | undefined> {
	const owner = ownerOf(run);
	const counts = new Map<string, number>();
	const found = new Map<Job, Promise<string | undefined>>();
	let previous: Promise<unknown> = Promise.resolve();
	const next = async (job: Job, before: Promise<unknown>): Promise<string | undefined> => {
		await before;
		const hash = await requestHash(owner, job.request);
		if (hash === undefined) return undefined;
		const count = (counts.get(hash) ?? 0) + 1;
		counts.set(hash, count);
		return `${hash} ${count}`;
	};
	return async (job) => {
		// Sequential, in the order of the jobs, so that equal requests are numbered alike in every run.
		const key = found.get(job) ?? next(job, previous);
		found.set(job, key);
		previous = key;
		return await key;
	};
}

/** The account, workflow and node. */
export function ownerOf({ context, node, service }: RunOfNode): string {
	return JSON.stringify([service.account, context.getWorkflow().id, node.id]);
}
