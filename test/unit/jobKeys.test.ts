import type { INodeParameters } from 'n8n-workflow';

import { edit } from '../../nodes/ImageGeneration/operations/edit';
import { generate } from '../../nodes/ImageGeneration/operations/generate';
import { jobKeys } from '../../nodes/ImageGeneration/plan/jobKeys';
import { planningRun } from '../support/planningRun';

type Parts = Parameters<typeof jobKeys>[2];

interface KeyInput {
	parameters?: INodeParameters;
	runName?: string;
	isTool?: boolean;
	itemIndex?: number;
	parts?: Partial<Parts>;
}

const WRITTEN: INodeParameters = {
	operation: 'edit',
	prompt: '={{ $json.title }} at {{ $now }}',
	version: 'standard',
	inputType: 'binary',
	binaryPropertyName: 'data',
	download: true,
};

/** A job's key; everything omitted is the same for all. */
function keyOf({ parameters, runName = '0', isTool = false, itemIndex = 0, parts }: KeyInput = {}) {
	const run = { ...planningRun({ parameters: { ...WRITTEN, ...parameters }, isTool }), runName };
	const [key = ''] = jobKeys(run, itemIndex, {
		operation: edit,
		request: { model: 'image-editor', fields: { text: 'One at noon' } },
		images: ['a file'],
		copy: 1,
		...parts,
	});
	return key;
}
const asking = (text: string): KeyInput => ({
	parts: { request: { model: 'image-editor', fields: { text } } },
});

describe('a job’s key', () => {
	it('is short and stable', () => {
		expect(keyOf()).toMatch(/^0\.[\w-]{16}$/);
		expect(keyOf()).toBe(keyOf());
	});

	it.each<[what: string, input: KeyInput]>([
		['run', { runName: '1' }],
		['item', { itemIndex: 1 }],
		['operation', { parts: { operation: generate } }],
		['image', { parts: { images: ['another file'] } }],
		['copy', { parts: { copy: 2 } }],
		['prompt as it is written', { parameters: { prompt: 'Blur it' } }],
		['quality', { parameters: { version: 'genius' } }],
	])('differs for another %s', (_what, input) => {
		expect(keyOf(input)).not.toBe(keyOf());
	});

	it.each<[what: string, input: KeyInput]>([
		['an expression in the prompt returns another text', asking('One at midnight')],
		['the images are chosen another way', { parameters: { inputType: 'all' } }],
		['the field’s name is written differently', { parameters: { binaryPropertyName: '' } }],
		['more copies are wanted', { parameters: { options: { numberOfImages: 3 } } }],
		['the timeout is raised', { parameters: { options: { timeout: 3600 } } }],
		['the output has another field', { parameters: { options: { outputPropertyName: 'image' } } }],
		['nothing is downloaded', { parameters: { download: false } }],
		['a parameter of another operation is set', { parameters: { size: '512x512' } }],
	])('stays the same if %s', (_what, input) => {
		expect(keyOf(input)).toBe(keyOf());
	});

	it('depends on the options that shape the request', () => {
		const parts = { operation: generate };
		const of = (options: INodeParameters) => keyOf({ parts, parameters: { options } });

		expect(of({ negativePrompt: 'text' })).not.toBe(of({}));
		expect(of({ negativePrompt: 'text' })).not.toBe(of({ negativePrompt: 'fog' }));
		expect(of({ numberOfImages: 2 })).toBe(of({}));
	});

	it('depends on what an agent’s tool sends, because the agent rewrites its parameters each time', () => {
		const tool = (text: string, prompt: string) =>
			keyOf({ ...asking(text), isTool: true, parameters: { prompt } });

		expect(tool('A fox', '={{ $fromAI("a") }}')).toBe(tool('A fox', '={{ $fromAI("b") }}'));
		expect(tool('A fox', '')).not.toBe(tool('A hen', ''));
	});
});
