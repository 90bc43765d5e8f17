import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { INodeTypeDescription } from 'n8n-workflow';
import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node.js';
import { hosts, root } from '../../scripts/tools/checkout.mjs';

/** The packages that n8n 2 itself uses. */
const load = createRequire(join(hosts, 'n8n-2', 'package.json'));
const { planSplitVersionFiles } = load('@n8n/workflow-sdk/scripts/generate-types') as {
	planSplitVersionFiles: (node: INodeTypeDescription, version: number) => Map<string, string>;
};
const { NodeSearchEngine } = load('@n8n/ai-utilities/node-catalog') as {
	NodeSearchEngine: new (nodes: object[]) => {
		searchByName: (query: string, limit: number) => { name: string }[];
	};
};
const { validateParameters } = load(
	join(hosts, 'n8n-2/node_modules/@n8n/ai-workflow-builder/dist/validation/checks/parameters.js'),
) as { validateParameters: (workflow: object, nodes: object[]) => { description: string }[] };

const type = 'n8n-nodes-image-generation.imageGeneration';
const codex = JSON.parse(
	readFileSync(join(root, 'nodes/ImageGeneration/ImageGeneration.node.json'), 'utf8'),
) as { alias: string[] };
const node = { ...new ImageGeneration().description, name: type, codex };

/** Names of the parameters in a generated type, and their types without expressions. */
function parametersOf(operation: string): Record<string, string> {
	const text = files.get(`resource_image/operation_${operation}.ts`) ?? '';
	const lines = [...text.matchAll(/^ {4}(\w+\??): (.+);$/gm)];
	const names = lines.map(([, name]) => name);
	assert.deepEqual(names, [...new Set(names)], 'No name stands twice');
	return Object.fromEntries(
		lines
			.filter(([, name]) => properties.includes(name?.replace('?', '') ?? ''))
			.map(([, name = '', type = '']) => [name, type.replace(/ \| Expression<\w+>/, '')]),
	);
}
/** All nodes of n8n itself. */
const stockNodes = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap((name) => {
	const list = join(hosts, 'n8n-2/node_modules', name, 'dist/types/nodes.json');
	return JSON.parse(readFileSync(list, 'utf8')) as object[];
});
const files = planSplitVersionFiles(node, 1);
const properties = node.properties.map(({ name }) => name);

describe('n8n’s AI workflow builder', () => {
	it('gets a type of its own for each operation, with its fields and values', () => {
		const shapes = "'square' | 'landscape' | 'wide' | 'portrait' | 'feed' | 'tall' | 'custom'";
		const images = {
			'inputType?': "'binary' | 'all' | 'url'",
			'binaryPropertyName?': 'string',
			imageUrl: 'string',
		};
		assert.deepEqual(parametersOf('generate'), {
			prompt: 'string',
			'version?': "'standard' | 'hd' | 'genius' | 'super_genius'",
			'geniusPreference?': "'' | 'anime' | 'cinematic' | 'graphic' | 'photography'",
			'size?': shapes,
			'width?': 'number',
			'height?': 'number',
			'resolution?': "'2k' | '4k'",
			'download?': 'boolean',
		});
		assert.deepEqual(parametersOf('remove_background'), { ...images, 'download?': 'boolean' });
		assert.deepEqual(parametersOf('edit'), {
			...images,
			prompt: 'string',
			'version?': "'standard' | 'genius' | 'super_genius'",
			'resolution?': "'2k' | '4k'",
			'download?': 'boolean',
		});
	});

	it('gets texts without markup, and the hints', () => {
		const text = [...files.values()].join('\n');
		assert.match(text, /@builderHint Choose a shape/);
		assert.doesNotMatch(text, /&lt;|<code>/);
	});

	it('finds the node by the words that people type', () => {
		const search = new NodeSearchEngine([...stockNodes, node]);
		const placeOf = (words: string) =>
			search.searchByName(words, 10).findIndex(({ name }) => name === type) + 1;
		const first = ['AI image', 'generate image', 'create image', 'text to image', 'illustration'];
		const places = [...first, 'remove background', 'product photo', 'deepai'].map(placeOf);
		assert.deepEqual(new Set(places), new Set([1]));
		// Behind n8n's Edit Image and Edit Fields.
		assert.deepEqual(['edit image', 'edit photo'].map(placeOf), [2, 3]);
	});

	for (const file of readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.json'))) {
		it(`finds nothing wrong in examples/${file}`, () => {
			const workflow = JSON.parse(readFileSync(join(root, 'examples', file), 'utf8')) as object;
			const tool = { ...node, name: `${type}Tool` };
			assert.deepEqual(validateParameters(workflow, [node, tool]), []);
		});
	}

	it('would notice a missing prompt and an unknown size', () => {
		const broken = {
			name: 'Broken',
			type,
			typeVersion: 1,
			parameters: { resource: 'image', operation: 'generate', size: 'huge' },
		};
		assert.equal(validateParameters({ nodes: [broken] }, [node]).length, 2);
	});
});
