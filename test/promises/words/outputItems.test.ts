import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../../../nodes/ImageGeneration/failures/failures';
import { toOutputItems } from '../../../nodes/ImageGeneration/report/outputItems';
import type { FinishedRow, InvalidRow, Row } from '../../../nodes/ImageGeneration/types';
import { invalidRow, rowWith } from '../../support/jobs';

const RESULT = { id: 'an-id', output_url: 'https://example.com/a.jpg', seed: 7 };
const FILE = { data: '', mimeType: 'image/jpeg', fileName: 'a.jpg' };
const OTHER = { data: '', mimeType: 'text/plain', fileName: 'b.txt' };
const INPUT: INodeExecutionData = { json: { sku: 1, seed: 1 }, binary: { note: OTHER } };
const FOX = { stem: 'fox', isMarked: false };
const onError = 'continueErrorOutput';

/** The output item of a row of the first input item. */
function itemOf(
	row: Row | InvalidRow,
	finished: Partial<FinishedRow> | Failure,
	{
		input,
		onError,
		type = 'imageGeneration',
	}: { input?: INodeExecutionData; onError?: INode['onError']; type?: string } = {},
): Partial<INodeExecutionData> {
	const outcome =
		'kind' in finished
			? { failure: finished }
			: { value: { result: RESULT, image: undefined, ...finished } };
	const inputs = input === undefined ? [] : [input];
	return (
		toOutputItems({ type, onError } as INode, inputs, [{ row, job: undefined, outcome }])[0] ?? {}
	);
}

describe('a delivered row’s output item', () => {
	it.each([
		['https://example.com/a (1).png', '![Image](https://example.com/a%20%281%29.png)'],
		['https://example.com/a.png?x=1', '![Image](https://example.com/a.png?x=1)'],
		['no address', undefined],
	])('has Markdown for an agent that shows %s', (output_url, markdown) => {
		const row = rowWith({ fileName: FOX, outputField: undefined });
		const type = 'imageGenerationTool';

		expect(itemOf(row, { result: { output_url } }, { type }).json?.markdown).toBe(markdown);
	});

	it.each([
		['https://example.com/job-view-file/1/output.PNG?signed=1', 'fox.png'],
		['https://example.com/view?id=1', 'fox'],
		['https://example.com/output.html', 'fox'],
		['no address', 'fox'],
		['https://example.com/png', 'fox'],
	])('without a file has the extension of the link %s in its name', (output_url, fileName) => {
		const row = rowWith({ fileName: FOX, outputField: undefined });

		expect(itemOf(row, { result: { output_url } })).toStrictEqual({
			json: { fileName, output_url },
			pairedItem: { item: 0 },
		});
	});

	it('has the input’s fields and files with Include Input Fields, overridden by its own', () => {
		const row = rowWith({ source: 'photo', copy: 2, includesInput: true, outputField: 'picture' });
		const json = { sku: 1, seed: 1, fileName: 'theirs', source: 'shop', copy: 'text' };

		expect(itemOf(row, { image: FILE }, { input: { ...INPUT, json } })).toStrictEqual({
			json: { sku: 1, fileName: 'a.jpg', ...RESULT, source: 'photo', copy: 2 },
			binary: { note: OTHER, picture: FILE },
			pairedItem: { item: 0 },
		});
	});

	it('has not the input without that option, and the file’s own name even if the service has another', () => {
		const result = { ...RESULT, fileName: '../../etc/passwd' };

		expect(itemOf(rowWith(), { result, image: FILE }, { input: INPUT })).toStrictEqual({
			json: { fileName: 'a.jpg', ...RESULT },
			binary: { data: FILE },
			pairedItem: { item: 0 },
		});
	});
});

describe('an error item', () => {
	it('for the error output has the input, and an error on one line that n8n does not copy', () => {
		const job = { id: 'an-id', output_url: RESULT.output_url };
		const failure: Failure = { kind: 'download', reason: 'empty', job };
		const failed = itemOf(rowWith(), failure, { input: INPUT, onError });

		expect(failed.error?.message).toMatch(
			/an empty file\. .*paid for\. .* https:\/\/example\.com\/a\.jpg \(job an-id\)$/,
		);
		expect(Object.keys(failed)).not.toContain('error');
		expect(failed.json).toMatchObject({
			sku: 1,
			error: expect.stringContaining('empty') as string,
		});
		expect(failed.binary).toStrictEqual({ note: OTHER });
		expect(itemOf(rowWith(), failure, { input: INPUT }).error).toBeUndefined();
	});

	it('has nothing unknown, and names the job that the service named', () => {
		const failure: Failure = { kind: 'unexpected', message: 'No', job: { id: 'an-id' } };

		expect(itemOf(invalidRow(failure), failure, { onError })).toStrictEqual({
			json: { error: 'No', details: { item: 'Item 1', id: 'an-id' } },
			pairedItem: { item: 0 },
		});
	});
});
