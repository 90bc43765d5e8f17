import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'node:test';
import { root } from '../../../../scripts/tools/checkout.mjs';
import { sectionsIn, tablesIn } from '../../../support/markdown.js';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { imageGeneration } from '../../support/nodes.mjs';
import { workflow } from '../../support/workflow.mjs';

const qualities = {
	'Generate Image': ['Standard', 'HD', 'Genius', 'Super Genius'],
	'Edit Photo': ['Standard', 'Genius', 'Super Genius'],
} as const;
const output = ['Download Image', 'Put Output File in Field', 'Options'];
const image = ['Image Source', 'Input Data Field Name'];

/** Which fields stand on the screen, by the contract. */
const generate = (more: string[], size: string[] = []) => [
	...['Operation', 'Prompt', 'Quality', ...more, 'Size', ...size],
	...output,
];
const edit = (more: string[]) => [
	...['Operation', ...image, 'Instruction', 'Quality', ...more],
	...output,
];

/** The options of an operation, by the page that people read. */
function documentedOptions(operation: string): string[] {
	const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
	const [rows = []] = tablesIn(sectionsIn(page, 2).get('Options') ?? '');
	return rows
		.filter((row) => {
			const [, only = operation] = /^Only for (\w+ \w+)\./.exec(row['What to know'] ?? '') ?? [];
			return only === operation;
		})
		.map(({ Field = '' }) => Field);
}

/** Fields as a person sees them. */
export function fieldCases(fixture: Fixture, editor: () => Editor): void {
	describe('Fields', () => {
		const names = ['Generate', 'Remove', 'Edit', 'Output', 'Options'];
		before(async () => {
			const nodes = names.map((name) => imageGeneration(name, { operation: 'generate' }));
			const id = await fixture.api.createWorkflow(workflow('Fields', nodes, []));
			await editor().openWorkflow(`${fixture.n8n.url}/workflow/${id}`);
		});
		afterEach(async () => await editor().closeNode());

		it('of Generate Image follow the quality and the size', async () => {
			await editor().openNode('Generate');
			const { choose, fieldNames, offers, pressEscape } = editor();
			assert.deepEqual(await offers('version'), qualities['Generate Image']);
			await pressEscape();
			assert.deepEqual(await fieldNames(), generate([]));
			await choose('version', 'HD');
			assert.deepEqual(await fieldNames(), generate([]));
			await choose('version', 'Genius');
			assert.deepEqual(await fieldNames(), generate(['Style']));
			await choose('version', 'Super Genius');
			assert.deepEqual(await fieldNames(), generate(['Resolution']));
			await choose('size', 'Custom');
			assert.deepEqual(await fieldNames(), generate(['Resolution'], ['Width', 'Height']));
		});

		it('of Remove Background follow the source of the image', async () => {
			await editor().openNode('Remove');
			const { choose, fieldNames } = editor();
			await choose('operation', 'Remove Background');
			assert.deepEqual(await fieldNames(), ['Operation', ...image, ...output]);
			await choose('inputType', 'URL');
			assert.deepEqual(await fieldNames(), ['Operation', 'Image Source', 'Image URL', ...output]);
		});

		it('of Edit Photo follow the quality', async () => {
			await editor().openNode('Edit');
			const { choose, fieldNames, offers, pressEscape } = editor();
			await choose('operation', 'Edit Photo');
			assert.deepEqual(await offers('version'), qualities['Edit Photo']);
			await pressEscape();
			assert.deepEqual(await fieldNames(), edit([]));
			await choose('version', 'Genius');
			assert.deepEqual(await fieldNames(), edit([]));
			await choose('version', 'Super Genius');
			assert.deepEqual(await fieldNames(), edit(['Resolution']));
		});

		it('of the output follow Download Image', async () => {
			await editor().openNode('Output');
			const { part, fieldNames } = editor();
			await part('parameter-input-download').locator('.el-switch').click();
			await part('parameter-input-outputPropertyName').waitFor({ state: 'detached' });
			const shown = generate([]).filter((name) => name !== 'Put Output File in Field');
			assert.deepEqual(await fieldNames(), shown);
		});

		it('of Options are those that docs/operations.md lists for the operation', async () => {
			await editor().openNode('Options');
			const { choose, optionsToAdd, pressEscape } = editor();
			const offered: Record<string, string[]> = {};
			for (const operation of ['Generate Image', 'Remove Background', 'Edit Photo']) {
				await choose('operation', operation);
				offered[operation] = await optionsToAdd();
				await pressEscape();
				assert.deepEqual(offered[operation], documentedOptions(operation));
			}
			const withNegativePrompt = Object.entries(offered).flatMap(([operation, options]) =>
				options.includes('Negative Prompt') ? [operation] : [],
			);
			assert.deepEqual(withNegativePrompt, ['Generate Image']);
		});
	});
}
