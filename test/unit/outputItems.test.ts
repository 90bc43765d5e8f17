import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../../nodes/ImageGeneration/failures/failures';
import { toOutputItems } from '../../nodes/ImageGeneration/report/outputItems';
import type { FinishedJob, PlannedJob } from '../../nodes/ImageGeneration/types';
import { invalidJob, jobWith } from '../support/jobs';

const RESULT = { id: 'an-id', output_url: 'https://example.com/a.jpg', seed: 7 };
const FILE = { data: '', mimeType: 'image/jpeg', fileName: 'a.jpg' };
const OTHER = { data: '', mimeType: 'text/plain', fileName: 'b.txt' };
const INPUT: INodeExecutionData = { json: { sku: 1, seed: 1 }, binary: { note: OTHER } };
const BAD: Failure = { kind: 'bad input', message: "'Width' is 1.", advice: 'Make it 128.' };

/** The output item of a job of the first input item. */
function itemOf(
	job: PlannedJob,
	finished: Partial<FinishedJob> | Failure,
	{ input, onError }: { input?: INodeExecutionData; onError?: INode['onError'] } = {},
): Partial<INodeExecutionData> {
	const outcome =
		'kind' in finished
			? { failure: finished }
			: { value: { result: RESULT, image: undefined, ...finished } };
	const inputs = input === undefined ? [] : [input];
	return toOutputItems({ onError } as INode, inputs, [{ job, outcome }])[0] ?? {};
}

describe('a delivered job’s output item', () => {
	it('has the file’s name, the result, the file and its paired item, but not the input', () => {
		expect(itemOf(jobWith(), { image: FILE }, { input: INPUT })).toStrictEqual({
			json: { fileName: 'a.jpg', ...RESULT },
			binary: { data: FILE },
			pairedItem: { item: 0 },
		});
	});

	it.each([
		['https://example.com/job-view-file/1/output.PNG?signed=1', 'fox.png'],
		['https://example.com/view?id=1', 'fox'],
		['https://example.com/output.html', 'fox'],
		['no address', 'fox'],
	])('without a file has the extension of the link %s in its name', (output_url, fileName) => {
		const job = jobWith({ fileName: 'fox', outputField: undefined });

		expect(itemOf(job, { result: { output_url } })).toStrictEqual({
			json: { fileName, output_url },
			pairedItem: { item: 0 },
		});
	});

	it('has the input’s fields and files with Include Input Fields, overridden by its own', () => {
		const job = jobWith({ source: 'photo', copy: 2, includesInput: true, outputField: 'picture' });
		const json = { sku: 1, seed: 1, fileName: 'theirs', source: 'shop', copy: 'text' };

		expect(itemOf(job, { image: FILE }, { input: { ...INPUT, json } })).toStrictEqual({
			json: { sku: 1, fileName: 'a.jpg', ...RESULT, source: 'photo', copy: 2 },
			binary: { note: OTHER, picture: FILE },
			pairedItem: { item: 0 },
		});
	});

	it('keeps the service’s own field of the name fileName', () => {
		const result = { ...RESULT, fileName: 'theirs' };

		expect(itemOf(jobWith(), { result, image: FILE }).json?.fileName).toBe('theirs');
	});
});

describe('an error item', () => {
	const json = {
		error: "'Width' is 1.",
		details: { item: 'Item 1', advice: 'Make it 128.', badInput: true },
	};

	it('has the message and the advice, and nothing unknown', () => {
		expect(itemOf(invalidJob(BAD), BAD, { input: INPUT })).toStrictEqual({
			json,
			pairedItem: { item: 0 },
		});
	});

	it('keeps the input with Include Input Fields', () => {
		const job = invalidJob(BAD, { includesInput: true });

		expect(itemOf(job, BAD, { input: INPUT })).toStrictEqual({
			json: { ...INPUT.json, ...json },
			binary: { note: OTHER },
			pairedItem: { item: 0 },
		});
	});

	it('has the service’s message and status, the job it named, its source and its copy', () => {
		const facts = { status: 500, serviceMessage: 'No foxes', job: { id: 'an-id' } };
		const job = jobWith({ source: 'photo', copy: 2 });

		expect(itemOf(job, { kind: 'rejection', ...facts }).json).toStrictEqual({
			error: 'No foxes',
			details: {
				item: 'Item 1, "A fox", copy 2',
				advice: 'The image is finished and paid for. Open the link below.',
				...{ status: 500, serviceMessage: 'No foxes', id: 'an-id', source: 'photo', copy: 2 },
			},
		});
	});
});

describe('an item for the error output', () => {
	const onError = 'continueErrorOutput';

	it('has the input, and an error that n8n does not copy, with everything on one line', () => {
		const job = { id: 'an-id', output_url: RESULT.output_url };
		const failure: Failure = { kind: 'download', reason: 'empty', job };
		const failed = itemOf(jobWith(), failure, { input: INPUT, onError });

		expect(failed.error?.message).toBe(
			'The service returned an empty file. The image is finished and paid for. Open the link below in a browser. https://example.com/a.jpg (job an-id)',
		);
		expect(Object.keys(failed)).not.toContain('error');
		const error = 'The service returned an empty file.';
		expect(failed.json).toMatchObject({ sku: 1, seed: 1, error });
		expect(failed.binary).toEqual({ note: OTHER });
		expect(itemOf(jobWith(), failure, { input: INPUT }).error).toBeUndefined();
	});

	it('works without advice and without an input', () => {
		const failure: Failure = { kind: 'unexpected', message: 'An expression failed' };
		const failed = itemOf(invalidJob(failure), failure, { onError });

		expect(failed).toStrictEqual({
			json: { error: 'An expression failed', details: { item: 'Item 1' } },
			pairedItem: { item: 0 },
		});
		expect(failed.error?.message).toBe('An expression failed');
	});
});
