import type { NodeExecutionHint } from 'n8n-workflow';

import { Batch } from '../../../nodes/ImageGeneration/buy/batch';
import type { Failure } from '../../../nodes/ImageGeneration/failures/failures';
import type { Purchase } from '../../../nodes/ImageGeneration/recall/purchase';
import { dryRunHints } from '../../../nodes/ImageGeneration/report/dryRun';
import { hintsFor, memoryHint } from '../../../nodes/ImageGeneration/report/hints';
import { messageFor } from '../../../nodes/ImageGeneration/report/messages';
import type { Job, Row } from '../../../nodes/ImageGeneration/types';
import { jobWith, rowWith } from '../../support/jobs';

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
	'image with another status': { kind: 'download', reason: 'status', status: 403 },
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

// Other tests look for facts, so that a better wording changes only this page.
it('says of each failure what happened, then what to do', () => {
	const entries = Object.entries(FAILURES).map(([name, failure]) => {
		const { title, advice } = messageFor(failure);
		return `# ${name}\n${title}\n${advice}`.trim();
	});

	expect(entries.join('\n\n')).toMatchSnapshot();
});

const NOON = Date.parse('2026-11-20T12:00:00Z');

const rowOf = (itemIndex: number, more: Partial<Row> = {}) =>
	rowWith({ itemIndex, key: `0.${itemIndex}`, ...more });
const jobOf = (textParts: Record<string, string>, ...rows: Job['rows']) =>
	jobWith({ rows, request: { model: 'text2img', textParts } });
const FOX = { text: 'A fox' };
const bought: Purchase = {
	entry: 'entry-1',
	request: 'a fox',
	file: '',
	node: 'node',
	round: 0,
	isManual: true,
	execution: '7',
	holder: '7',
	time: NOON - 3_600_000,
	accounts: [],
	instruction: '',
	generation: 1,
	result: JOB,
	shown: { image: 'Item 1, "A fox"', operation: '', quality: '', size: '', workflow: '' },
};

/** A run of these jobs, of which each row has this image, or has failed. */
function batchOf(jobs: Job[], failure?: Failure): Batch {
	const batch = new Batch(
		jobs.flatMap(({ rows }) => rows),
		jobs,
	);
	for (const row of jobs.flatMap(({ rows }) => rows)) {
		batch.set(row, failure === undefined ? { value: { result: JOB } } : { failure });
	}
	return batch;
}

/** What stands above the output of a run that bought so many images. */
function boxesOf(paid: number, batch: Batch): NodeExecutionHint[] {
	const report = {
		context: { getTimezone: () => 'UTC' },
		log: { tally: { paid, missing: [] } },
		process: { timeOfDay: () => NOON },
	};
	return hintsFor(report, batch);
}

const one = () => jobOf(FOX, rowOf(0));
const same = (textParts: Record<string, string> = FOX) =>
	jobOf(textParts, rowOf(0), rowOf(1), rowOf(2));
const usingAgain = batchOf([one()]);
for (const job of usingAgain.jobs) {
	usingAgain.known.set(job, { purchase: bought, result: JOB, from: 'another run' });
}
const afterUnclear = batchOf([one()]);
afterUnclear.unclearBefore.set(bought.entry, { ...bought, result: undefined });
const blanks = ["{{ $json.color }} in 'Prompt'"];

/** What stands above the output, by what happened. */
const HINTS: Record<string, NodeExecutionHint[]> = {
	bought: boxesOf(2, batchOf([one()])),
	'used again': boxesOf(0, usingAgain),
	'all items ask for the same': boxesOf(1, batchOf([same()])),
	'all items ask for the same edit': boxesOf(1, batchOf([same({ ...FOX, image: 'https://a' })])),
	'all items have the same photo': boxesOf(1, batchOf([same({ image: 'https://a' })])),
	'two items ask for the same': boxesOf(3, batchOf([one(), jobOf(FOX, rowOf(1))])),
	'rows without an image': boxesOf(0, batchOf([same()], { kind: 'timeout', message })),
	'an expression found nothing': boxesOf(1, batchOf([jobOf(FOX, rowOf(0, { blanks }))])),
	'an earlier request is unclear': boxesOf(1, afterUnclear),
	'a Dry Run in the editor': dryRunHints(true, new Batch([rowOf(0)], [one()]), undefined),
	'a Dry Run that is published': dryRunHints(false, new Batch([rowOf(0)], [one()]), undefined),
	'rows are missing in the log': memoryHint(
		{ paid: 1, missing: [{ kind: 'timeout', message }] },
		true,
	),
	'no Purchase Log': memoryHint({ paid: 1, missing: [] }, true),
};

it('says above the output what a run cost, and what a person must look at', () => {
	const entries = Object.entries(HINTS).map(([name, hints]) =>
		[`# ${name}`, ...hints.map((hint) => hint.message)].join('\n'),
	);

	expect(entries.join('\n\n')).toMatchSnapshot();
});
