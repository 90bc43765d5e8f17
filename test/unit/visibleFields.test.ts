import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';

const { description } = new ImageGeneration();
const node: INode = {
	id: '1',
	name: 'Image Generation',
	type: 'imageGeneration',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** The fields that n8n shows, by n8n's own rule, with defaults where nothing is given. */
function shownWith(parameters: INodeParameters): string[] {
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		node,
		description,
	);
	return description.properties
		.filter((field) => NodeHelpers.displayParameter(values ?? {}, field, node, description))
		.map(({ name }) => name);
}

const OUTPUT = ['download', 'options'];

describe('the node shows', () => {
	it.each<[INodeParameters, string[]]>([
		[{}, ['operation', 'prompt', 'version', 'size', ...OUTPUT]],
		[
			{ version: 'genius' },
			['operation', 'prompt', 'version', 'geniusPreference', 'size', ...OUTPUT],
		],
		[
			{ version: 'super_genius' },
			['operation', 'prompt', 'version', 'resolution', 'size', ...OUTPUT],
		],
		[{ size: 'custom' }, ['operation', 'prompt', 'version', 'size', 'width', 'height', ...OUTPUT]],
		[
			{ operation: 'removeBackground' },
			['operation', 'inputType', 'binaryPropertyName', ...OUTPUT],
		],
		[
			{ operation: 'removeBackground', inputType: 'url' },
			['operation', 'inputType', 'imageUrl', ...OUTPUT],
		],
		[
			{ operation: 'edit' },
			['operation', 'inputType', 'binaryPropertyName', 'prompt', 'version', ...OUTPUT],
		],
		[
			{ operation: 'edit', inputType: 'url', version: 'super_genius' },
			['operation', 'inputType', 'imageUrl', 'prompt', 'version', 'resolution', ...OUTPUT],
		],
		[{ download: false }, ['operation', 'prompt', 'version', 'size', 'download', 'options']],
	])('for %j just these fields: %j', (parameters, fields) => {
		expect(shownWith(parameters)).toEqual(fields);
	});

	it('the ten recommended sizes, each marked Standard or HD, and Custom', () => {
		const size = description.properties.find(({ name }) => name === 'size');
		const names = (size?.options ?? []).map((option) => option.name);

		expect(names).toEqual([
			'Custom',
			'HD 1024x1024 (Square)',
			'HD 1152x896 (Landscape)',
			'HD 1216x832 (Landscape)',
			'HD 832x1216 (Portrait)',
			'HD 896x1152 (Portrait)',
			'Standard 1024x576 (Landscape)',
			'Standard 1024x720 (Landscape)',
			'Standard 512x512 (Square)',
			'Standard 576x1024 (Portrait)',
			'Standard 768x1024 (Portrait)',
		]);
	});

	it('the operation’s name under the node', () => {
		const { subtitle = '' } = description;
		const names = {
			generate: 'Generate Image',
			removeBackground: 'Remove Background',
			edit: 'Edit Photo',
		};

		expect(subtitle).toBe(`={{ ${JSON.stringify(names)}[$parameter["operation"]] }}`);
	});
});
