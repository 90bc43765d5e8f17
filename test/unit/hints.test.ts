import type { Failure } from '../../nodes/ImageGeneration/failures/failures';
import type { InputFile } from '../../nodes/ImageGeneration/images/imageFile';
import type { Known } from '../../nodes/ImageGeneration/recall/known';
import { cutFilesHint } from '../../nodes/ImageGeneration/report/cutFiles';
import { dryRunHints, dryRunOutcomes } from '../../nodes/ImageGeneration/report/dryRun';
import { hintsFor, missingRowHints, linesToTell } from '../../nodes/ImageGeneration/report/hints';
import type { Report } from '../../nodes/ImageGeneration/report/report';
import type { Job, JobOutcome, JobResult } from '../../nodes/ImageGeneration/types';
import { invalidJob, jobFor, jobWith, resultOf } from '../support/jobs';
import { purchaseWith } from '../support/purchases';

const tally = { paid: 0, gone: 0, oddResponses: [], missing: [] };
const NOTHING: Report = {
	context: { getTimezone: () => 'Europe/Berlin' },
	added: new Set(),
	node: {},
	outcomes: [],
	known: new Map(),
	execution: { isManual: false, savesFailed: true },
	isForgotten: false,
	toTell: [],
	log: { tally },
	surplus: [],
	limiters: { paid: { refusals: 0, held: 0 } },
};
const failed = (text: string) => ({
	job: jobFor(text, { label: text }),
	outcome: { failure: { kind: 'unexpected', message: `<No> ${text}` } as Failure },
});

const empty: Failure = { kind: 'bad input', message: 'Empty', advice: 'Fill it in.' };
const unsent: JobOutcome = { job: invalidJob(empty), outcome: { failure: empty } };
const refused = (facts: object = {}): JobOutcome => ({
	job: jobFor('A', { label: 'A' }),
	outcome: {
		failure: { kind: 'rejection', status: 401, serviceMessage: 'Wrong key', ...facts } as Failure,
	},
});

const KEPT = (['this execution', 'Retry', 'taken'] as const).map((from): [Job, Known] => [
	jobFor(from),
	{ from, outcome: { value: resultOf(from) } },
]);
/** These jobs delivered what is known of them, or another image. */
const delivered = (other?: JobResult): JobOutcome[] =>
	KEPT.map(([job]) => ({
		job,
		outcome: { value: { result: other ?? resultOf(String(job.request.textParts.text)) } },
	}));

const besidesFile: JobOutcome = {
	job: jobFor('A', { skipped: [{ name: 'a.pdf', because: 'not an image' }] }),
	outcome: { value: { result: resultOf('a'), image: undefined } },
};

describe('a hint', () => {
	it.each<[expected: string, run: Partial<Report>]>([
		[
			'2 items went to the error output. The first one is Item 1, &quot;A&quot;: &lt;No&gt; A.',
			{
				node: { onError: 'continueErrorOutput' },
				outcomes: [failed('A'), failed('B')],
			},
		],
		[
			'2 items were not sent. The first one is Item 1: Empty. Fill it in.',
			{ outcomes: [unsent, unsent] },
		],
		['1 item was not sent. Item 1: Empty. Fill it in.', { outcomes: [unsent] }],
		[
			'2 items have no image. The first one is Item 1: Empty. Fill it in.',
			{ outcomes: [unsent, failed('B')] },
		],
		[
			"1 image was bought. The option 'Dry Run' is added but off, so this was a real run. Turn it on to buy nothing, or remove it.",
			{ added: new Set(['dryRun']), log: { tally: { ...tally, paid: 1 } } },
		],
		[
			'1 item has no image. Item 1, &quot;A&quot;: Wrong key.',
			{ outcomes: [refused({ job: { id: 'paid' } })] },
		],
		[
			'1 image was bought. 1 file was skipped: a.pdf is not an image.',
			{ log: { tally: { ...tally, paid: 1 } }, outcomes: Array<JobOutcome>(2).fill(besidesFile) },
		],
		[
			'1 image was bought. The service no longer has 2 images of an earlier run.',
			{ log: { tally: { ...tally, paid: 1, gone: 2 } } },
		],
		[
			'The service answered 2 requests with a list instead of a plain job result. The node still found the image.',
			{ log: { tally: { ...tally, oddResponses: ['a list', 'a page'] } } },
		],
		[
			'2 images were kept from an earlier attempt, 1 image was kept from an unfinished run.',
			{ known: new Map(KEPT), outcomes: delivered() },
		],
		[
			'An earlier attempt bought an image that this one did not ask for: https://example.com/a.',
			{ surplus: [resultOf('a')] },
		],
	])('says, with text from outside escaped: %s', (expected, run) => {
		const hints = hintsFor({ ...NOTHING, ...run });

		expect(hints.map(({ message }) => message).join(' ')).toBe(expected);
	});

	it('says of a refusal what to do, and what it cost', () => {
		const [hint] = hintsFor({ ...NOTHING, outcomes: [refused()] });

		expect(hint?.message).toMatch(/^1 item has no image\. .*: Wrong key\. .*Check .* charged/);
	});

	it('tells what stopped runs bought, up to twenty, and may have', () => {
		const lines = linesToTell([
			purchaseWith({ result: undefined }),
			...Array.from({ length: 21 }, () => purchaseWith({ result: resultOf('a') })),
		]);

		expect(lines).toStrictEqual([
			`An unfinished run bought 21 images that this run did not use: ${'https://example.com/a, '.repeat(19)}https://example.com/a and 1 more (see n8n's log).`,
			'1 request that was cut off may have been charged: Item 1, "Owl". Check your account.',
		]);
	});

	it('warns of rows that the Purchase Log lacks, with the first reason', () => {
		const missing = ['Full.', 'Gone.'].map((message): Failure => ({ kind: 'unexpected', message }));

		expect(missingRowHints({ ...tally, missing })).toStrictEqual([
			{
				message:
					'The purchase log does not show everything that this run bought: Full. Rows missing: 2. The next run writes them, unless n8n restarts first.',
				type: 'warning',
				location: 'outputPane',
			},
		]);
	});
});

it('a Dry Run tells what is bought, what may have been charged, and what Max Images allows', () => {
	const [hen, owl] = [jobFor('hen'), jobFor('owl')];
	const failure: Failure = { kind: 'interrupted', message: 'why' };
	const jobs = [owl, invalidJob(failure), invalidJob(failure, { itemIndex: 1 })];
	const known: Report['known'] = new Map([
		[hen, { from: 'this execution', outcome: { value: resultOf('a') } }],
		[owl, { from: 'this execution', outcome: { failure } }],
	]);
	const limit = {
		kind: 'limit reached',
		per: 'execution',
		max: 1,
		bought: 2,
		needed: 3,
		isNothingSent: true,
		isTool: false,
	} as const;
	const open = ['a', 'b', 'c'].map((text) => jobFor(text));
	const outcomes = dryRunOutcomes(jobs, known).map(({ outcome }) => outcome);

	expect(outcomes).toStrictEqual(jobs.map(() => ({ failure })));
	expect(
		dryRunHints([hen, ...jobs, ...open], { known, awaited: new Map() }, limit)[0]?.message,
	).toBe(
		"Dry Run, nothing was sent: 3 images would be bought; 1 image kept from an earlier attempt; 'Max Images' allows only 0; 1 image may have been charged already; 2 items are invalid.",
	);
});

describe('the hint about the rate limit', () => {
	it('says what delayed the run, and for how long', () => {
		const paid = { refusals: 16, held: 29_500 };

		expect(hintsFor({ ...NOTHING, limiters: { paid } })[0]?.message).toBe(
			'The service refused 16 requests because there were too many, so this run waited 30 seconds.',
		);
	});

	it.each([
		{ refusals: 0, held: 5000 },
		{ refusals: 1, held: 900 },
	])('is omitted if the run was not delayed: %j', (paid) => {
		expect(hintsFor({ ...NOTHING, limiters: { paid } })).toStrictEqual([]);
	});
});

/** A job that has sent a file. */
function sent(file: Partial<InputFile>, itemIndex: number, copy?: number): JobOutcome {
	const request = { model: 'background-remover', textParts: {}, file: file as InputFile };
	const job = jobWith({ itemIndex, label: `${itemIndex}.jpg`, request, ...(copy && { copy }) });
	return { job, outcome: { value: { result: resultOf('a') } } };
}

it('a file without its end is named once, whatever came of it and however many copies it has', () => {
	const [cut, other] = [{ lacksEnd: true as const }, { lacksEnd: true as const }];
	const failure = { kind: 'not started' } as const;
	const outcomes: JobOutcome[] = [
		sent(cut, 0, 1),
		sent(cut, 0, 2),
		sent({}, 1),
		{ ...sent(other, 2), outcome: { failure } },
		{ job: invalidJob(failure), outcome: { failure } },
	];

	expect(cutFilesHint(outcomes)).toBe(
		'2 input files have no end, so parts of their images may be missing: Item 1, "0.jpg" and Item 3, "2.jpg". Upload or download them again.',
	);
	expect(cutFilesHint([sent({}, 0)])).toBe('');
});
