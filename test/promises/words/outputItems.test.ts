import type { INode, INodeExecutionData } from 'n8n-workflow';

import { toOutputItems } from '../../../nodes/ImageGeneration/report/outputItems';
import type { FinishedRow, Row } from '../../../nodes/ImageGeneration/types';
import { rowWith } from '../../support/jobs';

const RESULT = { id: 'an-id', output_url: 'https://example.com/a.jpg', seed: 7 };
const FILE = { data: '', mimeType: 'image/jpeg', fileName: 'a.jpg' };
const OTHER = { data: '', mimeType: 'text/plain', fileName: 'b.txt' };
const INPUT: INodeExecutionData = { json: { sku: 1, seed: 1 }, binary: { note: OTHER } };
const FOX = { stem: 'fox', isMarked: false };

/** The output item of a delivered row of the first input item. */
function itemOf(
	row: Row,
	finished: Partial<FinishedRow>,
	{ input, type = 'imageGeneration' }: { input?: INodeExecutionData; type?: string } = {},
): Partial<INodeExecutionData> {
	const outcome = { value: { result: RESULT, image: undefined, ...finished } };
	const inputs = input === undefined ? [] : [input];
	return toOutputItems({ type } as INode, inputs, [{ row, job: undefined, outcome }])[0] ?? {};
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
		['no address', 'fox'],
	])('without a file has the extension of the link %s in its name', (output_url, fileName) => {
		const row = rowWith({ fileName: FOX, outputField: undefined });

		expect(itemOf(row, { result: { output_url } })).toStrictEqual({
			json: { fileName, output_url },
			pairedItem: { item: 0 },
		});
	});

	it('has the input’s fields and files with Include Input Fields, and its own in their place', () => {
		const row = rowWith({ source: 'photo', copy: 2, includesInput: true, outputField: 'picture' });
		const json = { sku: 1, seed: 1, fileName: 'theirs', source: 'shop', copy: 'text' };

		const result = { ...RESULT, fileName: '../../etc/passwd' };

		expect(itemOf(row, { result, image: FILE }, { input: { ...INPUT, json } })).toStrictEqual({
			json: { sku: 1, fileName: 'a.jpg', ...RESULT, source: 'photo', copy: 2 },
			binary: { note: OTHER, picture: FILE },
			pairedItem: { item: 0 },
		});
	});
});
