import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { root } from '../../../scripts/tools/checkout.mjs';
import { sectionsIn, tablesIn } from '../../support/markdown.js';
import type { Editor } from '../support/Editor.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { until } from '../support/until.mjs';
import { workflow } from '../support/workflow.mjs';

const image = ['Image Source', 'Input Data Field Name(s)'];

/** A choice in a field, and the fields below Operation and above Download Image after it. */
type Step = [parameter: string, choice: string, shown: string[]];

/** By operation. */
const steps: Record<string, Step[]> = {
	'Generate Image': [
		['version', 'HD', ['Prompt', 'Quality', 'Size']],
		['version', 'Genius', ['Prompt', 'Quality', 'Style', 'Size']],
		['version', 'Super Genius', ['Prompt', 'Quality', 'Size', 'Resolution']],
		['size', 'Custom', ['Prompt', 'Quality', 'Size', 'Width', 'Height', 'Resolution']],
	],
	'Remove Background': [
		['inputType', 'URL', ['Image Source', 'Image URL']],
		['inputType', 'File From an Earlier Node', image],
	],
	'Edit Photo': [
		['version', 'Genius', ['Instruction', ...image, 'Quality']],
		['version', 'Super Genius', ['Instruction', ...image, 'Quality', 'Resolution']],
	],
};

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
		before(async () => {
			const names = [...Object.keys(steps), 'Custom'];
			const nodes = names.map((name) =>
				fixture.node(name, { operation: 'generate', ...(name === 'Custom' && { size: 'custom' }) }),
			);
			await editor().openWorkflow(workflow('Fields', nodes, { wires: [] }));
		});
		afterEach(async () => await editor().closeNode());

		for (const [operation, choices] of Object.entries(steps)) {
			it(`of ${operation} depend on what is chosen, and its options are those in docs/operations.md`, async () => {
				await editor().openNode(operation);
				const { choose, fieldNames, optionsToAdd, pressEscape } = editor();
				await choose('operation', operation);
				for (const [parameter, choice, shown] of choices) {
					await choose(parameter, choice);
					const all = ['Operation', ...shown, 'Download Image', 'Options'];
					assert.deepEqual(await fieldNames(), all);
				}
				assert.deepEqual(await optionsToAdd(), documentedOptions(operation));
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
	});
}
