import fc from 'fast-check';

import { planAll } from '../../nodes/ImageGeneration/plan/planAll';
import { messageFor } from '../../nodes/ImageGeneration/report/messages';
import type { Job, JobRequest, PlannedJob } from '../../nodes/ImageGeneration/types';
import { tools } from '../../sandbox/tools';
import { settle } from '../../sandbox/tools/parameters';
import { fuzz, SEED } from '../support/fuzz';
import { planningRun } from '../support/planningRun';
import { randomItem, type RandomItem } from './parameters';
import { specificationErrors } from './specification';

/** Plans an item's jobs. */
async function jobsOf({ files, ...values }: RandomItem): Promise<PlannedJob[]> {
	const run = planningRun({
		items: [{ json: {}, binary: files }],
		parameters: { ...values, download: true },
	});
	return (await planAll(run)).jobs;
}

const isJob = (job: PlannedJob): job is Job => !('problem' in job);

/** What the specification and the sandbox object to in a job. */
function faultsOf(job: PlannedJob): string[] {
	if (isJob(job)) return faultsIn(job.request);
	const { title } = messageFor(job.problem);
	if (!['bad input', 'not an image'].includes(job.problem.kind)) return [`unexpected: ${title}`];
	return /^['A-Z][^]+\.$/.test(title) ? [] : [`no sentence: ${title}`];
}

function faultsIn({ model, fields, file }: JobRequest): string[] {
	const hasFile = file !== undefined;
	const image = hasFile && { image: { file: '', fileName: '' } };
	const parameters = tools.find(({ id }) => id === model)?.parameters ?? [];
	try {
		settle(parameters, { fields, problems: new Map(), ...image });
	} catch (error) {
		return [`refused by the sandbox: ${String(error)}`];
	}
	return specificationErrors(model, fields, hasFile);
}

/** Describes file names that several jobs share. */
function shared(jobs: readonly Job[]): string[] {
	const count = (values: string[]) => jobs.length - new Set(values).size;
	return [
		...(count(jobs.map(({ fileName }) => fileName.toLowerCase())) > 0
			? ['two jobs have one file name']
			: []),
	];
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
				expect(jobs.flatMap(faultsOf)).toEqual([]);
				expect(shared(sane)).toEqual([]);
			}),
			fuzz(10_000),
		);

		// Both kinds of item occurred.
		expect(allowed).toBeGreaterThan(0);
		expect(several).toBeGreaterThan(0);
	});

	it('give one request per image and copy, in order, if they are valid', async () => {
		const sane = fc.record({
			operation: fc.constantFrom('generate', 'edit'),
			prompt: fc.string({ unit: 'grapheme' }).map((text) => `A ${text}`),
			version: fc.constantFrom('standard', 'genius', 'super_genius'),
			resolution: fc.constantFrom('2k', '4k'),
			geniusPreference: fc.constantFrom('', 'anime', 'cinematic', 'graphic', 'photography'),
			size: fc.constantFrom('custom', '512x512', '1024x720', '832x1216'),
			width: fc.integer({ min: 4, max: 48 }).map((steps) => steps * 32),
			height: fc.integer({ min: 4, max: 48 }).map((steps) => String(steps * 32)),
			inputType: fc.constant('url'),
			binaryPropertyName: fc.constant('data'),
			imageUrl: fc.uniqueArray(fc.webUrl(), { minLength: 1, maxLength: 5 }),
			options: fc.record({ numberOfImages: fc.integer({ min: 1, max: 10 }) }),
			files: fc.constant({}),
		});
		await fc.assert(
			fc.asyncProperty(sane, async (item) => {
				const { operation, prompt, imageUrl, options } = item;
				const copies = Array.from({ length: options.numberOfImages }, (_, index) =>
					options.numberOfImages > 1 ? index + 1 : undefined,
				);
				const sources = operation === 'edit' ? imageUrl : [undefined];
				const jobs = (await jobsOf(item)).filter(isJob);

				expect(jobs.map(({ source, copy }) => [source, copy])).toEqual(
					sources.flatMap((source) => copies.map((copy) => [source, copy])),
				);
				expect(new Set(jobs.map(({ request }) => request.fields.text))).toEqual(new Set([prompt]));
				expect(jobs.map(({ request }) => request.fields.image)).toEqual(
					jobs.map(({ source }) => source),
				);
			}),
			fuzz(2000),
		);
	});
});
