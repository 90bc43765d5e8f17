import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../../nodes/ImageGeneration/failures/failures';
import { toOutputItems } from '../../nodes/ImageGeneration/report/outputItems';
import type { FinishedJob, JobOutcome } from '../../nodes/ImageGeneration/types';
import { invalidJob, jobWith } from '../support/jobs';

const RESULT = { id: 'an-id', output_url: 'https://example.com/a.jpg', seed: 7 };
const FILE = { data: '', mimeType: 'image/jpeg', fileName: 'a.jpg' };
const OTHER = { data: '', mimeType: 'text/plain', fileName: 'b.txt' };
const INPUT: INodeExecutionData = { json: { sku: 1, seed: 1 }, binary: { note: OTHER } };

function toOutputItem(
	node: INode,
	job: JobOutcome['job'],
	outcome: JobOutcome['outcome'],
	input: INodeExecutionData | undefined,
): INodeExecutionData {
	const inputs = input === undefined ? [] : Array.from({ length: job.itemIndex + 1 }, () => input);
	const [item] = toOutputItems(node, inputs, [{ job, outcome }]);
	if (item === undefined) throw new Error('There is no output item');
	return item;
}

const node = (onError?: INode['onError']) => ({ onError }) as INode;

const delivered = (image: FinishedJob['image'] = undefined) => ({
	value: { result: RESULT, image },
});

describe('a delivered job’s output item', () => {
	it('has the file’s name, the result, the file and its paired item', () => {
		expect(toOutputItem(node(), jobWith({ itemIndex: 3 }), delivered(FILE), INPUT)).toStrictEqual({
			json: { fileName: 'a.jpg', ...RESULT },
			binary: { data: FILE },
			pairedItem: { item: 3 },
		});
	});

	it('has no files if none were downloaded', () => {
		const bare = { json: { fileName: 'fox.jpg', ...RESULT }, pairedItem: { item: 0 } };
		const job = jobWith({ fileName: 'fox', outputField: undefined });

		expect(toOutputItem(node(), job, delivered(), INPUT)).toStrictEqual(bare);
	});

	it.each([
		['https://example.com/job-view-file/1/output.PNG?signed=1', 'fox.png'],
		['https://example.com/view?id=1', 'fox'],
		['https://example.com/output.html', 'fox'],
		['no address', 'fox'],
	])('has the extension of the link %s if the image was not downloaded', (output_url, fileName) => {
		const outcome = { value: { result: { output_url }, image: undefined } };

		expect(toOutputItem(node(), jobWith({ fileName: 'fox' }), outcome, INPUT).json).toEqual({
			fileName,
			output_url,
		});
	});

	it('keeps the service’s own field of the name fileName, but not the input’s', () => {
		const job = jobWith({ fileName: 'fox', includesInput: true });
		const input = { json: { fileName: 'from-a-folder.txt' } };
		const withName = { value: { result: { ...RESULT, fileName: 'theirs' }, image: FILE } };

		expect(toOutputItem(node(), job, withName, input).json.fileName).toBe('theirs');
		expect(toOutputItem(node(), job, delivered(FILE), input).json.fileName).toBe('a.jpg');
	});

	it('has the input’s fields and files, overridden by the result', () => {
		const job = jobWith({ includesInput: true, outputField: 'picture' });

		expect(toOutputItem(node(), job, delivered(FILE), INPUT)).toStrictEqual({
			json: { sku: 1, fileName: 'a.jpg', ...RESULT },
			binary: { note: OTHER, picture: FILE },
			pairedItem: { item: 0 },
		});
	});

	it('has its source and copy, which override equal input fields', () => {
		const job = jobWith({ source: 'photo_1', copy: 2, includesInput: true });
		const input = { json: { source: 'shop', copy: 'text' } };

		expect(toOutputItem(node(), job, delivered(FILE), input)).toStrictEqual({
			json: { fileName: 'a.jpg', ...RESULT, source: 'photo_1', copy: 2 },
			binary: { data: FILE },
			pairedItem: { item: 0 },
		});
	});
});

describe('an error item', () => {
	it('has the message and the advice, and nothing unknown', () => {
		const failure: Failure = {
			kind: 'bad input',
			message: "'Width' is 1.",
			advice: 'Make it 128.',
		};
		const job = invalidJob(failure, { itemIndex: 2 });

		expect(toOutputItem(node(), job, { failure }, INPUT)).toStrictEqual({
			json: {
				error: "'Width' is 1.",
				details: { item: 'Item 3', advice: 'Make it 128.', badInput: true },
			},
			pairedItem: { item: 2 },
		});
	});

	it('keeps the input with Include Input Fields', () => {
		const failure: Failure = {
			kind: 'bad input',
			message: "'Width' is 1.",
			advice: 'Make it 128.',
		};
		const job = invalidJob(failure, { includesInput: true });

		expect(toOutputItem(node(), job, { failure }, INPUT)).toStrictEqual({
			json: {
				...INPUT.json,
				error: "'Width' is 1.",
				details: { item: 'Item 1', advice: 'Make it 128.', badInput: true },
			},
			binary: { note: OTHER },
			pairedItem: { item: 0 },
		});
	});

	it.each<INode['onError']>(['continueRegularOutput', 'continueErrorOutput'])(
		'works without advice and without an input: %s',
		(onError) => {
			const failure: Failure = { kind: 'unexpected', message: 'An expression failed' };
			const item = toOutputItem(node(onError), invalidJob(failure), { failure }, undefined);

			expect(item.json).toStrictEqual({
				error: 'An expression failed',
				details: { item: 'Item 1' },
			});
			expect(item.pairedItem).toEqual({ item: 0 });
			expect(item).not.toHaveProperty('binary');
		},
	);

	it('has the service’s message and status, and the job it named', () => {
		const failure: Failure = {
			...{ kind: 'rejection', status: 500, serviceMessage: 'No foxes', job: { id: 'an-id' } },
		};
		const { json } = toOutputItem(node(), jobWith(), { failure }, { json: {} });

		expect(json.error).toBe('No foxes');
		expect(json.details).toMatchObject({ status: 500, serviceMessage: 'No foxes', id: 'an-id' });
		expect(json.details).not.toHaveProperty('badInput');
	});

	it('has its source and copy under details', () => {
		const failure: Failure = { kind: 'unexpected', message: 'No' };
		const job = jobWith({ source: 'photo_1', copy: 2 });

		expect(toOutputItem(node(), job, { failure }, INPUT).json).toStrictEqual({
			error: 'No',
			details: { item: 'Item 1, "A fox", copy 2', source: 'photo_1', copy: 2 },
		});
	});

	it('goes to the error output if there is one, with the input and everything in one line', () => {
		const job = { id: 'an-id', output_url: RESULT.output_url };
		const failure: Failure = { kind: 'download', reason: 'empty', job };
		const failed = toOutputItem(node('continueErrorOutput'), jobWith(), { failure }, INPUT);

		expect(failed.error?.message).toBe(
			'The service returned an empty file. The image is finished and paid for. Open the link below in a browser. https://example.com/a.jpg (job an-id)',
		);
		expect(Object.keys(failed)).not.toContain('error');
		expect(failed.json).toMatchObject({
			sku: 1,
			seed: 1,
			error: 'The service returned an empty file.',
		});
		expect(failed.binary).toEqual({ note: OTHER });
		expect(
			toOutputItem(node('continueRegularOutput'), jobWith(), { failure }, INPUT).error,
		).toBeUndefined();
	});

	it('goes to the error output with only its message if nothing else is known', () => {
		const failure: Failure = { kind: 'unexpected', message: 'An expression failed' };
		const failed = toOutputItem(node('continueErrorOutput'), jobWith(), { failure }, INPUT);

		expect(failed.error?.message).toBe('An expression failed');
	});
});
