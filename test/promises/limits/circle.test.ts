import { Readable } from 'node:stream';

import { CircleWatch } from '../../../nodes/ImageGeneration/recall/circle';
import { Journal } from '../../../nodes/ImageGeneration/recall/journal';
import type { Purchase } from '../../../nodes/ImageGeneration/recall/purchase';
import { instructionOf } from '../../../nodes/ImageGeneration/recall/requestKey';
import type { Job, JobRequest } from '../../../nodes/ImageGeneration/types';
import { sha256 } from '../../support/images';
import { jobWith, resultOf } from '../../support/jobs';
import { purchaseWith } from '../../support/purchaseWith';

const HOUR = 60 * 60 * 1000;
const NOW = Date.parse('2026-11-28T12:00:00Z');
const LINK = resultOf('owl').output_url;

/** A job of Edit that works on this address, or on a file of these bytes. */
function edit(image: string | Buffer, text = 'Blur it') {
	const open = jest.fn(async () => Readable.from([image]));
	const request: JobRequest = { model: 'image-editor', textParts: { text } };
	if (typeof image === 'string') request.textParts.image = image;
	else {
		const start = image.toString('latin1', 0, 4);
		const file = { name: 'a.png', type: 'image/png', size: image.length, start, open };
		request.file = { ...file, sha256: undefined };
	}
	return { job: jobWith({ request }), open };
}

/** What execution 8 of the node is told, after these purchases of the node. */
async function asked(job: Job, ...purchases: Purchase[]) {
	const journal = new Journal();
	for (const purchase of purchases) journal.put(purchase);
	const asking = { journal, node: 'a node', execution: '8', now: NOW };
	const refused = await new CircleWatch(asking).refuseCircle(job);
	return refused === undefined ? job.generation : refused.kind;
}

/** A result of the same instruction, which another execution bought an hour ago. */
const made = (more: Partial<Purchase> = {}) =>
	purchaseWith({
		instruction: instructionOf(edit('').job.request),
		time: NOW - HOUR,
		result: resultOf('owl'),
		...more,
	});

it.each<[what: string, image: string, expected: number | string, more?: Partial<Purchase>]>([
	['an image of others', 'https://example.com/photo', 1],
	['a result of this node', LINK, 2],
	['a result of a result', LINK, 'bad input', { generation: 2 }],
	['a result of another instruction', LINK, 1, { instruction: 'another' }],
	['a result of another node', LINK, 1, { node: 'another node' }],
	['a result of the editor', LINK, 1, { isManual: true, generation: 2 }],
	['a result that this execution bought', LINK, 1, { execution: '8', generation: 2 }],
	['a result that this execution has', LINK, 1, { holder: '8', generation: 2 }],
	['a result of a day ago', LINK, 'bad input', { time: NOW - 24 * HOUR, generation: 2 }],
	['a result of more than a day ago', LINK, 1, { time: NOW - 24 * HOUR - 1, generation: 2 }],
])(
	'a job that works on %s is of this generation: %s, %p',
	async (_what, image, expected, more = {}) => {
		expect(await asked(edit(image).job, made(more))).toBe(expected);
	},
);

describe('a file', () => {
	const bytes = Buffer.from('GIF89a of this node');
	const output = { size: bytes.length, sha256: '' };
	const hash = Buffer.from(sha256(bytes), 'hex').toString('base64url');

	it('that this node has put out is known by its bytes', async () => {
		const result = { output: { ...output, sha256: hash } };

		expect(await asked(edit(bytes).job, made(result))).toBe(2);
		expect(await asked(edit(bytes).job, made({ ...result, generation: 2 }))).toBe('bad input');
	});

	it('of the same size is another one, and of another size it is not even read', async () => {
		expect(await asked(edit(bytes).job, made({ output }))).toBe(1);
		const { job, open } = edit(bytes);

		expect(await asked(job, made({ output: { ...output, size: 7 } }))).toBe(1);
		expect(open).not.toHaveBeenCalled();
	});
});

it('a prompt alone makes no circle', async () => {
	const request = { model: 'text2img', textParts: { text: 'Blur it' } };
	const instruction = instructionOf(request);

	expect(await asked(jobWith({ request }), made({ instruction, generation: 2 }))).toBe(1);
});

describe('the same request of many executions within an hour', () => {
	/** Whether execution "8" may buy it after so many others. */
	function mayBuy(count: number, more: (index: number) => Partial<Purchase> = () => ({})) {
		const journal = new Journal();
		for (let index = 0; index < count; index++) {
			journal.put(purchaseWith({ execution: `of ${index}`, time: NOW - HOUR, ...more(index) }));
		}
		const asking = { journal, node: 'a node', execution: '8', now: NOW };
		return new CircleWatch(asking).refuseRepetition(jobWith()) === undefined;
	}

	it.each<
		[what: string, count: number, mayBuy: boolean, more?: (index: number) => Partial<Purchase>]
	>([
		['is bought by twenty executions', 19, true],
		['is refused to the next one', 20, false],
		[
			'is bought by any number of rounds of a few',
			50,
			true,
			(index) => ({ execution: `${index % 19}` }),
		],
		['counts no purchase of more than an hour ago', 50, true, () => ({ time: NOW - HOUR - 1 })],
		['counts none of the editor', 50, true, () => ({ isManual: true })],
		['counts none of another node', 50, true, () => ({ node: 'another node' })],
		['counts none of another request', 50, true, () => ({ request: 'another' })],
		[
			'does not count the one that asks',
			20,
			true,
			(index) => ({ execution: index === 0 ? '8' : `${index}x` }),
		],
	])('%s', (_what, count, expected, more = undefined) => {
		expect(mayBuy(count, more)).toBe(expected);
	});

	it('is refused in words that name the brake', () => {
		const journal = new Journal();
		for (let index = 0; index < 20; index++) {
			journal.put(purchaseWith({ execution: `of ${index}`, time: NOW }));
		}
		const asking = { journal, node: 'a node', execution: '8', now: NOW };

		expect(new CircleWatch(asking).refuseRepetition(jobWith())).toMatchObject({
			message: expect.stringContaining('seems to trigger itself: 20 executions') as string,
			advice: expect.stringContaining("set 'Max Images per Day'") as string,
		});
	});
});
