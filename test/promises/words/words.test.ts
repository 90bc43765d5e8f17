import type { INode, NodeExecutionHint } from 'n8n-workflow';

import { Batch, type Known } from '../../../nodes/ImageGeneration/buy/batch';
import { notStarted, type Failure } from '../../../nodes/ImageGeneration/failures/failures';
import type { BoughtPurchase } from '../../../nodes/ImageGeneration/recall/purchase';
import { dryRunHints } from '../../../nodes/ImageGeneration/report/dryRun';
import { hintsFor, memoryHint } from '../../../nodes/ImageGeneration/report/hints';
import { messageFor } from '../../../nodes/ImageGeneration/report/messages';
import {
	canceledError,
	firstFailure,
	nodeError,
	type Stopping,
} from '../../../nodes/ImageGeneration/report/nodeErrors';
import type { Job, Row, RowOutcome } from '../../../nodes/ImageGeneration/types';
import { invalidRow, jobWith, rowWith } from '../../support/jobs';
import { purchaseWith } from '../../support/purchaseWith';

const JOB = { id: 'job-1', output_url: 'https://example.com/1.jpg' };
const message = 'the reason';
const limit = {
	kind: 'limit reached',
	max: 50,
	bought: 49,
	planned: 0,
	needed: 2,
	isNothingSent: true,
	isTool: false,
} as const;
const unexpected = { kind: 'unexpected response', returned: 'a list', status: 200 } as const;
const refusal: Failure = { kind: 'rejection', status: 429, serviceMessage: 'Slow down' };

/** Every failure by what happened, in the order in which a run meets them. */
const FAILURES: Record<string, Failure> = {
	'no credential': { kind: 'no credential', message },
	'no connection': { kind: 'unreachable', message },
	'no secure connection': { kind: 'insecure', message },
	'blocked by n8n': { kind: 'blocked', message },
	'Max Images': { ...limit, per: 'execution' },
	'Max Images, nothing bought so far': { ...limit, per: 'execution', bought: 0, needed: 51 },
	'Max Images per Day': { ...limit, per: 'day', freeIn: 7_200_000 },
	'Max Images per Day, beside other runs': { ...limit, per: 'day', bought: 40, planned: 9 },
	'Max Images per Day, with Continue': { ...limit, per: 'day', needed: 1, isNothingSent: false },
	'Max Images per Day, for an agent': { ...limit, per: 'day', freeIn: 7_200_000, isTool: true },
	'Max Images, for an agent': { ...limit, per: 'execution', isTool: true },
	'not started': { kind: 'not started' },
	'stopped while the image is made': { kind: 'awaited' },
	'no answer in time': { kind: 'timeout', message },
	'connection closed': { kind: 'interrupted', message },
	...Object.fromEntries(
		[302, 307, 400, 401, 402, 403, 404, 408, 413, 415, 429, 500].map((status) => [
			`status ${status}`,
			{ kind: 'rejection', status, serviceMessage: "The service's words" },
		]),
	),
	'status 500 without words': { kind: 'rejection', status: 500 },
	'status 302 to an address': { kind: 'rejection', status: 302, location: 'https://a.example' },
	'a rejection that names a job': { kind: 'rejection', status: 500, job: JOB },
	'429 for too long': { kind: 'rate limited', refusal, asked: undefined, patience: 600_000 },
	'429, and a long wait': { kind: 'rate limited', refusal, asked: 7_200_000, patience: 600_000 },
	'a page with status 403': { kind: 'intercepted', status: 403, returned: 'a web page' },
	'a page with status 413': { kind: 'intercepted', status: 413, returned: 'a web page' },
	'a page with status 502': { kind: 'intercepted', status: 502, returned: 'a web page' },
	'no job result': { ...unexpected, links: ['https://example.com/a'], excerpt: '["a"]' },
	'no job result, in words': { ...unexpected, serviceMessage: "The service's words" },
	'no job result, but an id': { ...unexpected, job: { id: 'job-1' } },
	'image on another host': {
		kind: 'download',
		reason: 'other host',
		origin: 'https://cdn.example',
	},
	'image gone': { kind: 'download', reason: 'gone', status: 404 },
	'image gone, in words': {
		kind: 'download',
		reason: 'gone',
		status: 410,
		serviceMessage: "The service's words",
	},
	...Object.fromEntries(
		[204, 403, 408, 429, 500].map((status) => [
			`image with status ${status}`,
			{ kind: 'download', reason: 'status', status },
		]),
	),
	'image that is a page': { kind: 'download', reason: 'not an image', claimed: 'text/html' },
	'image of no bytes': { kind: 'download', reason: 'empty' },
	'image too large': { kind: 'download', reason: 'too large' },
	'image cut off': { kind: 'download', reason: 'interrupted', message },
	'image too slow': { kind: 'download', reason: 'timeout' },
	'image blocked by n8n': { kind: 'download', reason: 'blocked', message },
	'image not stored': { kind: 'download', reason: 'not stored', message },
	'image in a circle of redirects': { kind: 'download', reason: 'redirect loop' },
	'image behind a redirect to nowhere': { kind: 'download', reason: 'bad redirect' },
};

/** A page of the snapshot: each text under what happened. */
const pageOf = (entries: Record<string, readonly string[]>) =>
	Object.entries(entries)
		.map(([what, lines]) => [`# ${what}`, ...lines].join('\n').trim())
		.join('\n\n');

// Other tests look for facts, so that a better wording changes only this page.
it('says of each failure what happened, then what to do', () => {
	const texts = Object.entries(FAILURES).map(([what, failure]) => {
		const { title, advice } = messageFor(failure);
		return [what, [title, advice]] as const;
	});

	expect(pageOf(Object.fromEntries(texts))).toMatchSnapshot();
});

it.each(['Prompt exceeds the token limit of 77', 'Upgrade your browser', 'Out of API credits'])(
	'advice does not depend on the service’s words, which come first: "%s"',
	(serviceMessage) => {
		for (const status of [302, 400, 401, 402, 403, 404, 413, 422, 500]) {
			const { advice } = messageFor({ kind: 'rejection', status });

			expect(messageFor({ kind: 'rejection', status, serviceMessage })).toMatchObject({
				title: serviceMessage,
				advice,
			});
		}
	},
);

const NOON = Date.parse('2026-11-20T12:00:00Z');

const rowOf = (itemIndex: number, more: Partial<Row> = {}) =>
	rowWith({ itemIndex, key: `0.${itemIndex}`, ...more });
const jobOf = (textParts: Record<string, string>, ...rows: Job['rows']) =>
	jobWith({ rows, request: { model: 'text2img', textParts } });
const FOX = { text: 'A fox' };
const OWL = purchaseWith({ time: NOON - 3_600_000 }) as BoughtPurchase;
const UNCLEAR = purchaseWith({ result: undefined });

/** A run of these jobs, of which each row has this image, or has failed. */
function batchOf(jobs: Job[], failure?: Failure, invalid: Batch['rows'] = []): Batch {
	const batch = new Batch([...jobs.flatMap(({ rows }) => rows), ...invalid], jobs);
	for (const row of jobs.flatMap(({ rows }) => rows)) {
		batch.set(row, failure === undefined ? { value: { result: JOB } } : { failure });
	}
	return batch;
}

/** What is above the output of a run that bought so many images. */
function boxesOf(paid: number, batch: Batch): NodeExecutionHint[] {
	const report = {
		context: { getTimezone: () => 'UTC' },
		log: { tally: { paid, missing: [] } },
		process: { timeOfDay: () => NOON },
	};
	return hintsFor(report, batch);
}

const one = (more?: Partial<Row>) => jobOf(FOX, rowOf(0, more));
const same = (textParts: Record<string, string> = FOX) =>
	jobOf(textParts, rowOf(0), rowOf(1), rowOf(2));
const invalidFailure: Failure = {
	kind: 'bad input',
	message: "'Width' is <b>.",
	advice: 'Make it 128.',
};
const invalid = (itemIndex: number) => invalidRow(invalidFailure, { itemIndex, label: '<No>' });
const inOneJobEach = (count: number) =>
	Array.from({ length: count }, (_, index) => jobOf({ text: `Fox ${index}` }, rowOf(index)));

/** A run whose images all come from elsewhere: three times, one no longer, and one that is awaited. */
function usingAgain(isDry = false): Batch {
	const jobs = inOneJobEach(5);
	const batch = isDry
		? new Batch([...jobs.flatMap(({ rows }) => rows), invalid(5), invalid(6)], jobs)
		: batchOf(jobs);
	const [a, b, c, d, e] = jobs as [Job, Job, Job, Job, Job];
	const known = (from: Known['from']): Known => ({ purchase: OWL, result: JOB, from });
	batch.known.set(a, known('this execution'));
	if (isDry) {
		batch.found.set(b, { purchase: OWL, holders: [''] });
		batch.waits.set(c, { settled: Promise.resolve() } as never);
		return batch;
	}
	batch.known.set(b, known('Retry'));
	batch.known.set(c, known('another run'));
	batch.known.set(d, known('another run'));
	batch.gone.add(e);
	return batch;
}

/** A run with each case that a person must look at, twice. */
function lookAtAll(): Batch {
	const blanks = ["{{ $json.color }} in 'Prompt'", "{{ $json.size }} in 'Prompt'"];
	const jobs = [0, 1].map((index) => jobOf(FOX, rowOf(index, { blanks })));
	const batch = batchOf(jobs, undefined, [invalid(2), invalid(3)]);
	for (const entry of ['one', 'another']) batch.unclearBefore.set(entry, UNCLEAR);
	return batch;
}

const againFrom = batchOf([one()]);
for (const job of againFrom.jobs) {
	againFrom.known.set(job, { purchase: OWL, result: JOB, from: 'another run' });
}
const missing: Failure[] = [{ kind: 'timeout', message }];

/** What is above the output, by what happened. */
const HINTS: Record<string, NodeExecutionHint[]> = {
	bought: boxesOf(2, batchOf([one()])),
	'nothing that costs': boxesOf(0, batchOf([one()])),
	'used again': boxesOf(0, againFrom),
	'all of that': boxesOf(3, usingAgain()),
	'all items ask for the same': boxesOf(1, batchOf([same()])),
	'all items ask for the same edit': boxesOf(1, batchOf([same({ ...FOX, image: 'https://a' })])),
	'all items have the same photo': boxesOf(1, batchOf([same({ image: 'https://a' })])),
	'two items ask for the same': boxesOf(3, batchOf([one(), jobOf(FOX, rowOf(1))])),
	'two copies of an item': boxesOf(2, batchOf([one({ copy: 1 }), one({ copy: 2 })])),
	'rows without an image': boxesOf(0, batchOf([same()], { kind: 'timeout', message })),
	'a row whose image is there': boxesOf(
		1,
		batchOf([one()], { kind: 'download', reason: 'empty', job: JOB }),
	),
	'a row that was not started': boxesOf(0, batchOf([one()], notStarted.failure)),
	'an expression found nothing': boxesOf(
		1,
		batchOf([one({ blanks: ["{{ $json.color }} in 'Prompt'"] })]),
	),
	'all that a person must look at': boxesOf(2, lookAtAll()),
	'a Dry Run in the editor': dryRunHints(true, new Batch([rowOf(0)], [one()]), undefined),
	'a Dry Run that is published': dryRunHints(false, new Batch([rowOf(0)], [one()]), undefined),
	'a Dry Run of all of that': dryRunHints(true, usingAgain(true), {
		...limit,
		per: 'execution',
		max: 1,
	}),
	'rows are missing in the log': memoryHint({ paid: 1, missing, madeTable: 'Images' }, true),
	'a new log': memoryHint({ paid: 1, missing: [], madeTable: 'Images' }, true),
	'no Purchase Log': memoryHint({ paid: 1, missing: [] }, true),
	'no Purchase Log, as was said before': memoryHint({ paid: 1, missing: [] }, false),
};

it('says above the output what a run cost, and what a person must look at', () => {
	const texts = Object.entries(HINTS).map(
		([what, hints]) => [what, hints.map((hint) => hint.message)] as const,
	);

	expect(pageOf(Object.fromEntries(texts))).toMatchSnapshot();
	expect(Object.values(HINTS).filter((hints) => hints.length > 3)).toStrictEqual([]);
});

const PUBLISHED = { isManual: false, isSubWorkflow: false };
const stopping = (execution: Partial<Stopping['execution']> = {}, isTool = false): Stopping => ({
	node: { name: 'Image Generation', type: 'imageGeneration' } as INode,
	isTool,
	execution: { ...PUBLISHED, ...execution },
});
const failed = (failure: Failure) => ({ failure });
const finished = (id: string) => ({ value: { result: { ...JOB, id }, image: undefined } });
const cut = failed({ kind: 'interrupted', message: 'socket hang up' });
const no = failed({ kind: 'rejection', status: 400, serviceMessage: 'No foxes' });
const late = failed({ kind: 'download', reason: 'timeout', job: JOB });
const gone = failed({ kind: 'download', reason: 'gone', status: 404 });
const awaited = failed({ kind: 'awaited' });
const strange = failed({ ...unexpected, job: { id: 'job-9' } });
const bad = (itemIndex: number): RowOutcome => ({
	row: invalid(itemIndex),
	job: undefined,
	outcome: failed(invalidFailure),
});
const times = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => make(index));

/** One job for each outcome, each of its own item. */
const rowsWith = (...outcomes: Array<RowOutcome['outcome']>): RowOutcome[] =>
	outcomes.map((outcome, index) => {
		const row = rowOf(index);
		return { row, job: jobOf(FOX, row), outcome };
	});

/** A job of three rows. */
const equalRows = (outcome: RowOutcome['outcome']): RowOutcome[] => {
	const job = same();
	return job.rows.map((row) => ({ row, job, outcome }));
};

const stop = (outcomes: RowOutcome[], run = stopping()) => {
	const failure = firstFailure(outcomes);
	if (failure === undefined) throw new Error('Nothing has failed.');
	return nodeError(run, failure, outcomes);
};

/** The error that stops the node, by what came before it. */
const STOPS: Record<string, ReturnType<typeof canceledError>> = {
	'one refusal': stop(rowsWith(no)),
	'a refusal of equal items': stop(equalRows(no)),
	'an image for equal items, then a refusal': stop([...equalRows(finished('1')), ...rowsWith(no)]),
	'of everything something': stop(
		rowsWith(finished('1'), late, cut, no, late, strange, notStarted, finished('8')),
	),
	'in the editor': stop(rowsWith(finished('1'), no), stopping({ isManual: true })),
	'in the editor, where only a download is left': stop(
		rowsWith(late),
		stopping({ isManual: true }),
	),
	'in a sub-workflow': stop(rowsWith(finished('1'), no), stopping({ isSubWorkflow: true })),
	'nothing is finished': stop(rowsWith(cut, no)),
	'a link without an image': stop(rowsWith(gone)),
	'for an agent': stop(rowsWith(finished('1'), cut), stopping({ isManual: true }, true)),
	'fifty-one finished and unclear': stop(
		rowsWith(...times(51, (index) => finished(`${index}`)), no, ...times(51, () => cut)),
	),
	'invalid items': stop([...rowsWith(notStarted), bad(1), bad(1), bad(2), bad(4)]),
	'only invalid items, more than twenty': stop(times(22, bad)),
	'invalid items, although some were bought': stop([...rowsWith(finished('1')), bad(1)]),
	'a stop in n8n': canceledError(stopping(), rowsWith(notStarted, no)),
	'a stop in n8n, where something is cut off': canceledError(
		stopping(),
		rowsWith(cut, finished('2')),
	),
	'a stop in n8n, where images are awaited': canceledError(
		stopping(),
		rowsWith(finished('1'), awaited, awaited),
	),
	'a stop in n8n of an agent': canceledError(stopping({}, true), rowsWith(awaited)),
};

it('says in the error that stops the node what happened, what to do, and what is paid for', () => {
	const texts = Object.entries(STOPS).map(([what, error]) => {
		const lines = [error.message, ...(error.description ?? '').split('\n')];
		// A page of fifty equal lines would say no more.
		return [
			what,
			lines.length < 60
				? lines
				: [...lines.slice(0, 4), '…', ...lines.slice(51, 56), '…', ...lines.slice(-2)],
		] as const;
	});

	expect(pageOf(Object.fromEntries(texts))).toMatchSnapshot();
	const templates = Object.values(STOPS).map(({ context }) => context.descriptionTemplate);
	expect(templates).not.toContainEqual(expect.stringMatching(/\n|<b>/));
});
