import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { Delivery } from '../../nodes/ImageGeneration/buy/deliver';
import {
	BadInput,
	DownloadFailure,
	ServiceRejection,
} from '../../nodes/ImageGeneration/failures/failures';
import { toOutputItem } from '../../nodes/ImageGeneration/report/outputItems';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg', seed: 7 };
const FILE = { data: '', mimeType: 'image/jpeg', fileName: 'a.jpg' };
const OTHER = { data: '', mimeType: 'text/plain', fileName: 'b.txt' };
const INPUT: INodeExecutionData = { json: { sku: 1, seed: 1 }, binary: { note: OTHER } };
const node = (onError?: INode['onError']) => ({ onError }) as INode;

/** As much of a delivery as its row is made of. */
function delivered(outputField: string | undefined, image: Delivery['image'], keeps = false) {
	const plan = { outputField, options: { includeInputFields: keeps } } as Delivery['plan'];
	return { value: { job: JOB, image, plan } };
}

describe('the row of a delivered item', () => {
	it('is the job result, the file, and the item it belongs to', () => {
		expect(toOutputItem(delivered('data', FILE), INPUT, 3, node())).toStrictEqual({
			json: JOB,
			binary: { data: FILE },
			pairedItem: { item: 3 },
		});
	});

	it('has no files where none were fetched', () => {
		const bare = { json: JOB, pairedItem: { item: 0 } };

		expect(toOutputItem(delivered(undefined, undefined), INPUT, 0, node())).toStrictEqual(bare);
		expect(toOutputItem(delivered('data', undefined), INPUT, 0, node())).toStrictEqual(bare);
	});

	it('has the input’s fields and files beside the result, which wins', () => {
		expect(toOutputItem(delivered('data', FILE, true), INPUT, 0, node())).toStrictEqual({
			json: { sku: 1, ...JOB },
			binary: { note: OTHER, data: FILE },
			pairedItem: { item: 0 },
		});
	});
});

describe('the row of an item that could not be delivered', () => {
	it('is the input with what happened and what to do, and nothing that is not known', () => {
		const failure = new BadInput('Width is 1.', 'Make it 128.');

		expect(toOutputItem({ failure }, INPUT, 2, node())).toStrictEqual({
			json: {
				...INPUT.json,
				error: 'Width is 1.',
				details: { advice: 'Make it 128.', badInput: true },
			},
			binary: { note: OTHER },
			pairedItem: { item: 2 },
		});
	});

	it('is there without advice, and without an input', () => {
		const empty = { error: 'An expression failed', details: {} };

		expect(
			toOutputItem({ failure: new Error('An expression failed') }, undefined, 0, node()),
		).toStrictEqual({ json: empty, pairedItem: { item: 0 } });
	});

	it('has the service’s words and status, and the job it named', () => {
		const failure = new ServiceRejection(500, 'No foxes', undefined, undefined, { id: 'an-id' });
		const { json } = toOutputItem({ failure }, { json: {} }, 0, node());

		expect(json.error).toBe('No foxes');
		expect(json.details).toMatchObject({ status: 500, words: 'No foxes', id: 'an-id' });
	});

	it('is marked for the error output where there is one, with all in one line', () => {
		const facts = { advice: 'Open the link.', passing: false };
		const failure = new DownloadFailure('The image is gone.', JOB, facts);
		const failed = toOutputItem({ failure }, INPUT, 0, node('continueErrorOutput'));

		expect(failed.error?.message).toBe(
			'The image is gone. The image is done and paid for. Open the link. https://example.com/a.jpg (job an-id)',
		);
		expect(Object.keys(failed)).not.toContain('error');
		expect(
			toOutputItem({ failure }, INPUT, 0, node('continueRegularOutput')).error,
		).toBeUndefined();
	});

	it('is marked by what happened alone, where nothing else is known', () => {
		const failure = new Error('An expression failed');

		expect(toOutputItem({ failure }, INPUT, 0, node('continueErrorOutput')).error?.message).toBe(
			'An expression failed',
		);
	});
});
