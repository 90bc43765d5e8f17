import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { additionalFields } from './fields/additionalFields';
import { propertiesOf } from './fields/field';
import { download, itemOptions, outputPropertyName, runOptions } from './fields/options';
import { operationFields, operationOptions, operations } from './operations';

export class ImageGeneration implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Image Generation',
		name: 'imageGeneration',
		icon: {
			light: 'file:../../icons/imageGeneration.svg',
			dark: 'file:../../icons/imageGeneration.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: `={{ ($parameter["options"]["dryRun"] ? "Dry Run: " : "") + ${JSON.stringify(
			Object.fromEntries(Object.entries(operations).map(([value, { name }]) => [value, name])),
		)}[$parameter["operation"]] }}`,
		description: 'Generate images from text, remove backgrounds and edit photos',
		defaults: { name: 'Image Generation' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Creates images from text, removes backgrounds and edits photos. Every image is a paid request: set the options maxImages and maxImagesPerDay, and add the option dryRun for a first test run. If all items ask for the same image, it is made once, so use a field of the item in the prompt. Manual runs reuse the image of an equal request, unless the option reuse is never. The image comes out as a file in the field data. An input image needs a file or a public URL.',
			relatedNodes: Object.entries({
				'n8n-nodes-base.formTrigger':
					'Takes uploaded photos; set inputType to all to use every file of a form',
				'n8n-nodes-base.webhook': 'Receives prompts or photos from other programs',
				'n8n-nodes-base.respondToWebhook':
					'Returns the image with respondWith binary, from the field data',
				'n8n-nodes-base.readWriteFile':
					'Reads photos from a folder, and saves the images under their fileName',
				'@n8n/n8n-nodes-langchain.agent':
					'Uses this node as a tool, which returns the link output_url and no file',
			}).map(([nodeType, relationHint]) => ({ nodeType, relationHint })),
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'imageGenerationApi', required: true, testedBy: 'imageGenerationApiTest' },
		],
		properties: [
			...operationFields,
			...propertiesOf({ download }),
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				// Not localeCompare: its first call loads collation tables, about 6 ms (Node 20.20).
				options: [
					additionalFields,
					...propertiesOf({ ...itemOptions, outputPropertyName }),
					// They hold for all items, so they are read from the first.
					...propertiesOf(runOptions).map((field) => ({ ...field, noDataExpression: true })),
					...operationOptions,
				].sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
			},
		],
	};

	methods: NonNullable<INodeType['methods']> = {
		credentialTest: {
			async imageGenerationApiTest(credential) {
				const { testCredential } = await import('./report/credentialTest.js');
				return await testCredential(this, credential);
			},
		},
	};

	/**
	 * n8n loads every node at startup. Importing the code of a run only when it is needed halves the
	 * load time of this node (n8n 2.40.3).
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { execute } = await import('./execute.js');
		return await execute(this);
	}
}
