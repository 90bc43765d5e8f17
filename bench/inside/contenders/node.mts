import { flowOfNode } from './flowOfNode.mjs';
import { inEngine } from './inEngine.mjs';

/** This package's node, from its tarball. */
export const node = inEngine((job) =>
	flowOfNode(job.package, {
		...(job.inOneItem && { inputType: 'all' }),
		options: { concurrency: job.concurrency },
	}),
);
