import { flowOfNode } from './flowOfNode.mjs';
import { inEngine } from './inEngine.mjs';

/** The node of this package, as it is in the tarball. */
export const node = inEngine((job) =>
	flowOfNode(job.package, {
		...(job.inOneItem && { inputType: 'all' }),
		options: { concurrency: job.concurrency },
	}),
);
