import fc from 'fast-check';

import { planAll } from '../../nodes/ImageGeneration/plan/planAll';
import { messageFor } from '../../nodes/ImageGeneration/report/messages';
import type { Job, JobRequest, PlannedJob } from '../../nodes/ImageGeneration/types';
import { tools } from '../../sandbox/tools';
import { settle } from '../../sandbox/tools/parameters';
import { fuzz, SEED, type ValueOf } from '../support/fuzz';
import { planningRun } from '../support/planningRun';
import { randomItem } from './parameters';

/** Plans an item's jobs. */
async function jobsOf({ files, ...values }: ValueOf<typeof randomItem>): Promise<PlannedJob[]> {
	const run = planningRun({
		items: [{ json: {}, binary: files }],
		parameters: { ...values, download: true },
	});
	return await planAll(run);
}

const isJob = (job: PlannedJob): job is Job => !('problem' in job);

/** What is wrong with a job's request, or with the message of a job without one. */
function faultsOf(job: PlannedJob): string[] {
	if (isJob(job)) return faultsIn(job.request);
	const { title } = messageFor(job.problem);
	if (!['bad input', 'not an image'].includes(job.problem.kind)) return [`unexpected: ${title}`];
	return /^['A-Z][^]+\.$/.test(title) ? [] : [`no sentence: ${title}`];
}

/** What the sandbox, which implements the specification, refuses or does not use. */
function faultsIn({ model, textParts, file }: JobRequest): string[] {
	const parameters = tools.find(({ id }) => id === model)?.parameters ?? [];
	// A file takes the place of an address.
	const sent = { ...textParts, ...(file && { image: 'https://example.com/file' }) };
	try {
		const used = settle(parameters, { fields: sent, problems: new Map() });
		return Object.keys(sent).filter((name) => !(name in used));
	} catch (error) {
		return [`refused by the sandbox: ${String(error)}`];
	}
}

describe(`ten thousand random items (seed ${SEED})`, () => {
	it('give requests that the specification and the sandbox allow, or clear messages', async () => {
		let allowed = 0;
		let several = 0;
		await fc.assert(
			fc.asyncProperty(randomItem, async (item) => {
				const jobs = await jobsOf(item);
				const sane = jobs.filter(isJob);
				allowed += sane.length;
				if (sane.length > 1) several++;

				expect(jobs.length).toBeGreaterThan(0);
				expect(jobs.flatMap(faultsOf)).toStrictEqual([]);
				const numbered = sane.filter(({ fileName }) => !fileName.isMarked);
				const names = numbered.map(({ fileName }) => fileName.stem.toLowerCase());
				expect(new Set(names).size).toBe(names.length);
			}),
			fuzz(10_000),
		);

		// Both kinds of item occurred.
		expect(allowed).toBeGreaterThan(0);
		expect(several).toBeGreaterThan(0);
	});
});
