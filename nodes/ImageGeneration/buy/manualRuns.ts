import { createHash } from 'crypto';

import type { Run } from '../run';
import type { Job, JobResult } from '../types';

/** What manual runs of this n8n process have bought: links, no image and no key. */
export interface ManualRuns {
	/** Whether what was bought before is taken, rather than bought again. */
	reuses: boolean;
	/** Where a job's result is remembered; undefined if its file can't be read. */
	keyOf(job: Job): Promise<string | undefined>;
	find(key: string): JobResult | undefined;
	add(key: string, result: JobResult): void;
}

/** Milliseconds. */
const LONGEST_AGE = 60 * 60 * 1000;
const MOST_RESULTS = 1000;
/** Characters of JSON; a job result has some 200. */
const LONGEST_RESULT = 10_000;

/** By account, node and request; the oldest stand first. */
const remembered = new Map<string, { json: string; boughtAt: number }>();

/**
 * Remembers what manual runs buy, for an hour: whoever builds a workflow runs it again and again.
 * @returns undefined for a production run, and for an agent's tool, whose agent asks again on purpose.
 */
export function manualRuns(
	run: Pick<Run, 'context' | 'node' | 'service' | 'isTool'>,
	reuses: boolean,
) {
	const { context, node, service, isTool } = run;
	if (context.getMode() !== 'manual' || isTool) return undefined;
	const owner = JSON.stringify([service.account, context.getWorkflow().id, node.id]);
	const equal = new Map<string, number>();
	let last: Promise<unknown> = Promise.resolve();
	const runs: ManualRuns = {
		reuses,
		// One after the other in the order of the jobs, so that the n-th of equal requests is the n-th
		// in every run.
		keyOf: async (job) => {
			const next = last.then(async () => await requestHash(owner, job));
			last = next;
			const hash = await next;
			if (hash === undefined) return undefined;
			const count = (equal.get(hash) ?? 0) + 1;
			equal.set(hash, count);
			return `${hash} ${count}`;
		},
		find: (key) => {
			const found = remembered.get(key);
			if (found === undefined || Date.now() - found.boughtAt > LONGEST_AGE) return undefined;
			return JSON.parse(found.json) as JobResult;
		},
		add: (key, result) => {
			const json = JSON.stringify(result);
			if (json.length > LONGEST_RESULT) return;
			remembered.delete(key);
			remembered.set(key, { json, boughtAt: Date.now() });
			const [oldest] = remembered.keys();
			if (remembered.size > MOST_RESULTS && oldest !== undefined) remembered.delete(oldest);
		},
	};
	return runs;
}

/** Equal for equal requests: the same account, node, text parts, and bytes of the file. */
async function requestHash(owner: string, { request }: Job): Promise<string | undefined> {
	const { model, fields, file } = request;
	const hash = createHash('sha256').update(JSON.stringify([owner, model, fields]));
	try {
		for await (const chunk of file?.stream() ?? []) hash.update(chunk as Uint8Array);
		return hash.digest('base64url');
	} catch {
		// The paid call says why it can't be read.
		return undefined;
	}
}
