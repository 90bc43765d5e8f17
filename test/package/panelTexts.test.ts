import { inspect } from 'node:util';
import { Linter } from 'eslint';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import type { INodeProperties } from 'n8n-workflow';
import { parser } from 'typescript-eslint';

import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';
import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';

/** What n8n's rules for nodes say about fields, written as one literal as the rules expect. */
function findingsIn(fields: INodeProperties[]): string[] {
	const literal = inspect(fields, { depth: null, maxArrayLength: null, maxStringLength: null });
	const source = `export class A { description = { properties: ${literal} } }`;
	const config = {
		files: ['**/*.ts'],
		languageOptions: { parser },
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// Lists begin with their default.
			'n8n-nodes-base/node-param-options-type-unsorted-items': 'off',
			// The order of keys is no text.
			'n8n-nodes-base/node-param-display-name-not-first-position': 'off',
		},
	} as unknown as Linter.Config;
	return new Linter()
		.verify(source, [config], 'nodes/A/A.node.ts')
		.map(({ ruleId, message, line }) => `${ruleId}: ${message} ${source.split('\n')[line - 1]}`);
}

it('the texts of the panel follow n8n’s rules, which can’t read them in the code', () => {
	expect(findingsIn(new ImageGeneration().description.properties)).toStrictEqual([]);
	expect(findingsIn(new ImageGenerationApi().properties)).toStrictEqual([]);
});
