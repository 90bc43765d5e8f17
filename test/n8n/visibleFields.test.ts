import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';
import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';

const { description } = new ImageGeneration();
const { properties } = description;
const options = properties.find(({ name }) => name === 'options')?.options as INodeProperties[];
const node = { name: 'Image Generation', type: 'imageGeneration', typeVersion: 1 } as INode;

/** The fields that n8n shows, with defaults for everything omitted. */
function shownWith(parameters: INodeParameters): string[] {
	const values = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		node,
		description,
	);
	return properties
		.filter((field) => NodeHelpers.displayParameter(values ?? {}, field, node, description))
		.map(({ name }) => name);
}

describe('the node shows', () => {
	const ofFile = { operation: 'removeBackground' };
	const ofEdit = { operation: 'edit' };
	it.each<[parameters: INodeParameters, own: string[]]>([
		[{}, ['prompt', 'version', 'size']],
		[{ download: false }, ['prompt', 'version', 'size']],
		[{ version: 'genius' }, ['prompt', 'version', 'geniusPreference', 'size']],
		[{ version: 'super_genius' }, ['prompt', 'version', 'size', 'resolution']],
		[{ version: 'no such quality' }, ['prompt', 'version', 'size']],
		[{ version: '={{ 1 }}' }, ['prompt', 'version', 'geniusPreference', 'size', 'resolution']],
		[{ size: 'custom' }, ['prompt', 'version', 'size', 'width', 'height']],
		[ofFile, ['inputType', 'binaryPropertyName']],
		[{ ...ofFile, inputType: 'all' }, ['inputType']],
		[{ ...ofFile, inputType: 'url' }, ['inputType', 'imageUrl']],
		[ofEdit, ['prompt', 'inputType', 'binaryPropertyName', 'version']],
		[
			{ ...ofEdit, version: '={{ 1 }}' },
			['prompt', 'inputType', 'binaryPropertyName', 'version', 'resolution'],
		],
		[
			{ ...ofEdit, inputType: 'url', version: 'super_genius' },
			['prompt', 'inputType', 'imageUrl', 'version', 'resolution'],
		],
	])('for %j exactly these fields of its own: %j', (parameters, own) => {
		expect(shownWith(parameters)).toStrictEqual([
			'resource',
			'operation',
			...own,
			'download',
			'options',
		]);
	});

	it('number fields without limits, which the editor would enforce silently', () => {
		const numbers = [...properties, ...options].filter(({ type }) => type === 'number');
		const limited = numbers.filter(
			({ typeOptions = {} }) => 'minValue' in typeOptions || 'maxValue' in typeOptions,
		);

		expect(numbers.length).toBeGreaterThan(5);
		expect(limited).toStrictEqual([]);
	});
});

// n8n gives each 250 ms of the clock, in which a busy machine may not finish, and the run ends (2.41.1).
it('no condition of a field is a regular expression, because a busy machine would end the run', () => {
	const all = JSON.stringify([new ImageGenerationApi().properties, description]);

	expect(all).toContain('"_cnd":{"startsWith":');
	expect(all).not.toContain('"_cnd":{"regex":');
});
