import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { root } from '../../../../scripts/tools/checkout.mjs';
import { sectionsIn, tablesIn } from '../../../support/markdown.js';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { imageGeneration } from '../../support/nodes.mjs';
import { until } from '../../support/until.mjs';
import { workflow } from '../../support/workflow.mjs';

const qualities = {
	'Generate Image': ['Standard', 'HD', 'Genius', 'Super Genius'],
	'Edit Photo': ['Standard', 'Genius', 'Super Genius'],
} as const;
const output = ['Download Image', 'Options'];
const image = ['Image Source', 'Input Data Field Name(s)'];

/** Fields that Generate Image shows. */
const generate = (style: string[], size: string[] = []) => [
	...['Operation', 'Prompt', 'Quality', ...style, 'Size', ...size],
	...output,
];
const edit = (more: string[]) => [
	...['Operation', 'Instruction', ...image, 'Quality', ...more],
	...output,
];

/** An operation's options according to docs/operations.md. */
function documentedOptions(operation: string): string[] {
	const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
	const [rows = []] = tablesIn(sectionsIn(page, 2).get('Options') ?? '');
	return rows
		.filter((row) => {
			const [, only] = /^Only for (.+?)\. /.exec(row['What to know'] ?? '') ?? [];
			return only === undefined || only.split(' and ').includes(operation);
		})
		.map(({ Field = '' }) => Field);
}

/** The fields as users see them. */
export function fieldCases(fixture: Fixture, editor: () => Editor): void {
	describe('the fields', () => {
		const plain = ['Generate', 'Sizes', 'Remove', 'Edit', 'Options'];
		before(async () => {
			const nodes = [
				...plain.map((name) => imageGeneration(name, { operation: 'generate' })),
				imageGeneration('Expression', { operation: 'generate', version: "={{ 'hd' }}" }),
				imageGeneration('Unknown', { operation: 'generate', version: '={{ $json.quality }}' }),
				imageGeneration('Custom', { operation: 'generate', size: 'custom' }),
			];
			const id = await fixture.api.createWorkflow(workflow('Fields', nodes, []));
			await editor().openWorkflow(`${fixture.n8n.url}/workflow/${id}`);
		});
		afterEach(async () => await editor().closeNode());

		it('of Generate Image depend on the quality and the size', async () => {
			await editor().openNode('Generate');
			const { choose, fieldNames, offers, pressEscape } = editor();
			assert.deepEqual(await offers('version'), qualities['Generate Image']);
			await pressEscape();
			assert.deepEqual(await fieldNames(), generate([]));
			await choose('version', 'HD');
			assert.deepEqual(await fieldNames(), generate([]));
			await choose('version', 'Genius');
			assert.deepEqual(await fieldNames(), generate(['Style']));
			assert.equal((await offers('geniusPreference'))[0], 'None');
			await pressEscape();
			await choose('version', 'Super Genius');
			assert.deepEqual(await fieldNames(), generate([], ['Resolution']));
			await choose('size', 'Custom');
			assert.deepEqual(await fieldNames(), generate([], ['Width', 'Height', 'Resolution']));
		});

		const shapes = ['Square', 'Landscape', 'Wide', 'Portrait', 'Tall', 'Custom'];
		for (const [name, quality] of [
			['Sizes', 'chosen'],
			['Expression', 'an expression'],
			['Unknown', 'unknown'],
		] as const) {
			it(`of Generate Image include one Size with all shapes if the quality is ${quality}`, async () => {
				await editor().openNode(name);
				const { chosen, fieldNames, offers, pressEscape } = editor();
				assert.deepEqual(await fieldNames(), generate([]));
				assert.equal(await chosen('size'), 'Square');
				assert.deepEqual(await offers('size'), shapes);
				await pressEscape();
			});
		}

		it('of a custom size keep what is typed and say what is allowed', async () => {
			await editor().openNode('Custom');
			const { part, fieldNames } = editor();
			assert.ok((await fieldNames()).includes('Width'));
			const [width, height] = ['width', 'height'].map((name) =>
				part(`parameter-input-${name}`).locator('input').first(),
			) as [Locator, Locator];
			await width.click({ clickCount: 3 });
			await width.pressSequentially('2000');
			await height.click();
			await part('node-parameters').getByText('128 to 1536 in steps of 32').first().waitFor();
			await until('the typed width is kept', async () => (await width.inputValue()) === '2000');
		});

		it('of Remove Background depend on the image source', async () => {
			await editor().openNode('Remove');
			const { choose, fieldNames } = editor();
			await choose('operation', 'Remove Background');
			assert.deepEqual(await fieldNames(), ['Operation', ...image, ...output]);
			await choose('inputType', 'URL');
			assert.deepEqual(await fieldNames(), ['Operation', 'Image Source', 'Image URL', ...output]);
		});

		it('of Edit Photo depend on the quality', async () => {
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

		it('in Options are those that docs/operations.md lists for the operation', async () => {
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
