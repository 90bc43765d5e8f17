import { Batch, type Known } from '../../../nodes/ImageGeneration/buy/batch';
import type { Failure, LimitReached } from '../../../nodes/ImageGeneration/failures/failures';
import type { BoughtPurchase } from '../../../nodes/ImageGeneration/recall/purchase';
import { dryRunHints, dryRunOutcomes } from '../../../nodes/ImageGeneration/report/dryRun';
import { hintsFor, memoryHint } from '../../../nodes/ImageGeneration/report/hints';
import type { Job } from '../../../nodes/ImageGeneration/types';
import { invalidRow, jobFor, jobWith, resultOf, rowWith } from '../../support/jobs';
import { purchaseWith } from '../../support/purchaseWith';

// `words.test.ts` has every sentence. These tests look for numbers, and for when something is said.
const NOON = Date.parse('2026-11-28T12:00:00Z');
const BAD: Failure = { kind: 'bad input', message: 'Empty <b>', advice: 'Fill it in.' };
const OWL = purchaseWith({ time: NOON - 1000 }) as BoughtPurchase;

/** What stands above the output of a run that bought so many images. */
function textsOf(batch: Batch, paid = 0): string[] {
	const report = {
		context: { getTimezone: () => 'UTC' },
		log: { tally: { paid, missing: [] } },
		process: { timeOfDay: () => NOON },
	};
	return hintsFor(report, batch).map(({ message }) => message);
}

/** A run whose jobs all have their image. */
function batchOf(...jobs: Job[]): Batch {
	const batch = new Batch(
		jobs.flatMap(({ rows }) => rows),
		jobs,
	);
	for (const job of jobs) batch.setAll(job, { value: { result: resultOf('owl') } });
	return batch;
}

const known = (from: Known['from']): Known => ({ purchase: OWL, result: OWL.result, from });

it('a run that cost nothing and went well says nothing', () => {
	expect(textsOf(batchOf(jobFor('Owl')))).toStrictEqual([]);
});

it('one box has the numbers: bought, kept, used again, no longer there', () => {
	const jobs = ['a', 'b', 'c', 'd', 'e'].map((text) => jobFor(text));
	const batch = batchOf(...jobs);
	const [a, b, c, d, e] = jobs as [Job, Job, Job, Job, Job];
	batch.known.set(a, known('this execution'));
	batch.known.set(b, known('Retry'));
	batch.known.set(c, known('another run'));
	batch.known.set(d, known('another run'));
	batch.gone.add(e);
	const [costs, ...others] = textsOf(batch, 3);

	expect(others).toStrictEqual([]);
	expect(costs).toMatch(
		/^3 images were bought, 2 images were kept .* 2 images are used again \(bought today at 11:59\).* 1 earlier image was no longer there\.$/,
	);
});

it('a second box names what a person must look at, the first case of each kind, with text from outside escaped', () => {
	const blanks = ["{{ $json.color }} in 'Prompt'", "{{ $json.size }} in 'Prompt'"];
	const jobs = ['a', 'b'].map((text, itemIndex) => jobFor(text, { itemIndex, blanks }));
	const rows = [
		...jobs.flatMap((job) => job.rows),
		...[2, 3].map((itemIndex) => invalidRow(BAD, { itemIndex, label: '<No>' })),
	];
	const batch = new Batch(rows, jobs);
	for (const job of jobs) batch.setAll(job, { value: { result: resultOf('owl') } });
	for (const entry of ['one', 'another one']) {
		batch.unclearBefore.set(entry, purchaseWith({ result: undefined }));
	}
	const [lookAt, ...others] = textsOf(batch);

	expect(others).toStrictEqual([]);
	expect(lookAt).toContain(
		'2 items have no image. The first one is Item 3, &quot;&lt;No&gt;&quot;: Empty &lt;b&gt;.',
	);
	expect(lookAt).toMatch(
		/\{\{ \$json\.color \}\} in .*Prompt.* found nothing for Item 1, .* 1 more of the expressions/,
	);
	expect(lookAt).toMatch(/may have been charged: Item 1, &quot;Owl&quot; and 1 more\./);
});

it('a failure that names a paid job is told without advice, because its row has the link', () => {
	const batch = batchOf(jobFor('Owl'));
	const told = (failure: Failure) => {
		for (const job of batch.jobs) batch.setAll(job, { failure });
		return textsOf(batch)[0];
	};
	const refused: Failure = { kind: 'rejection', status: 401, serviceMessage: 'Wrong key' };

	expect(told(refused)).toMatch(/: Wrong key\. .*charged/);
	expect(told({ ...refused, job: { id: 'paid' } })).toMatch(/: Wrong key\.$/);
	expect(told({ kind: 'not started' })).toBeUndefined();
});

describe('equal requests', () => {
	it('that are copies of one item are meant', () => {
		const jobs = [1, 2].map((copy) => jobWith({ rows: [rowWith({ copy, key: `${copy}` })] }));

		expect(textsOf(batchOf(...jobs))).toStrictEqual([]);
	});
});

describe('what the node remembers', () => {
	const missing: Failure[] = [{ kind: 'unexpected', message: 'Full' }];
	const tally = { paid: 1, missing: [] };
	const madeTable = 'Images';

	it('is one box: rows that the log lacks, else a new table, else that it forgets', () => {
		const lacks = memoryHint({ ...tally, missing: [...missing, ...missing], madeTable }, true);
		expect(lacks).toHaveLength(1);
		expect(lacks[0]).toMatchObject({
			type: 'warning',
			message: expect.stringMatching(/ Full\. Rows missing: 2\./) as string,
		});
		const isNew = memoryHint({ ...tally, madeTable }, true);
		expect(isNew.map(({ message }) => message)).toStrictEqual([
			expect.stringMatching(/Images.* is new\. .*Data tables, /),
		]);
		expect(memoryHint(tally, true)).toHaveLength(1);
		expect(memoryHint(tally, false)).toStrictEqual([]);
	});
});

describe('a Dry Run', () => {
	const limit: LimitReached = {
		kind: 'limit reached',
		per: 'execution',
		max: 1,
		bought: 2,
		planned: 0,
		needed: 3,
		isNothingSent: true,
		isTool: false,
	};

	/** Jobs that would be bought, kept, used again and awaited, and two invalid items. */
	function planned() {
		const jobs = ['a', 'b', 'kept', 'found', 'awaited'].map((text) => jobFor(text));
		const [, , kept, found, awaited] = jobs as [Job, Job, Job, Job, Job];
		const invalid = [1, 2].map((itemIndex) => invalidRow(BAD, { itemIndex }));
		const batch = new Batch([...jobs.flatMap(({ rows }) => rows), ...invalid], jobs);
		batch.known.set(kept, known('this execution'));
		batch.found.set(found, { purchase: OWL, holders: [''] });
		batch.waits.set(awaited, { settled: Promise.resolve() } as never);
		return batch;
	}

	it('counts what would be bought, what is there, and what the limit allows', () => {
		const [counts] = dryRunHints(true, planned(), limit);

		expect(counts?.message).toBe(
			"Dry Run, nothing was sent: 2 images would be bought; 1 image kept from an earlier attempt; 1 image used again; 1 image in progress in another run; 'Max Images' allows only 0; 2 items are invalid.",
		);
	});

	it('that is published warns first that nothing was bought, and needs three boxes at most', () => {
		const hints = dryRunHints(false, planned(), undefined);

		expect(hints.map(({ type }) => type)).toStrictEqual(['warning', 'info', 'info']);
		expect(hints[0]?.message).toContain("option 'Dry Run' is on");
	});

	it('shows each row’s request, and the link of an image that is there', () => {
		const outcomes = dryRunOutcomes(planned()).map(({ outcome }) => outcome);

		const shown = [null, null, OWL.result.output_url, OWL.result.output_url, null];
		expect(outcomes.slice(0, 5)).toMatchObject(
			shown.map((output_url) => ({
				value: {
					result: { alreadyBought: output_url !== null, tool: 'text2img', output_url },
				},
			})),
		);
		expect(outcomes.slice(5)).toStrictEqual([{ failure: BAD }, { failure: BAD }]);
	});
});
