import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openPage } from '../../../scripts/host/openEditor.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { imageGeneration } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { withPage } from '../support/withPage.mjs';
import { chain, workflow } from '../support/workflow.mjs';
import { form, photos } from './severalFiles.mjs';

const settings = { binaryMode: 'combined' };

/**
 * n8n's default expression engine reads `$item` before each lookup. In a combined workflow that is
 * the item's JSON, which a trigger does not have before it has run, so an address that is an
 * expression can't be computed (read in @n8n/expression-runtime of 2.40.3).
 */
export function refusedFormCases(fixture: Fixture): void {
	describe('A form in a combined workflow, n8n as it comes', () => {
		it('is refused by n8n itself, with no other node behind it', async () => {
			const nodes = [form('refused', 'Your photo', false)];
			const id = await fixture.api.createWorkflow(workflow('Refused', nodes, [], settings));

			await assert.rejects(fixture.api.activate(id), /activate: 500/);
		});
	});
}

/** What docs/compatibility.md recommends: n8n with N8N_EXPRESSION_ENGINE=legacy. */
export function combinedFormCases(fixture: Fixture): void {
	/** Sends photos by a form to the node, and returns where each of its images came from. */
	const sourcesOf = async (
		path: string,
		count: number,
		parameters: Record<string, unknown>,
	): Promise<unknown[]> => {
		const multiple = count > 1;
		const id = await fixture.api.publish(
			workflow(
				path,
				[
					form(path, multiple ? 'Your photos' : 'Your photo', multiple),
					imageGeneration(
						'Remove Background',
						{ operation: 'removeBackground', ...parameters },
						{ credentials: fixture.credentials },
					),
				],
				chain('On form submission', 'Remove Background'),
				settings,
			),
			`/form/${path}`,
		);
		const sent = (await photos()).slice(0, count);
		const files = sent.map((_, index) => join(fixture.files, `photo ${index}.jpg`));
		await Promise.all(sent.map(async (bytes, index) => await writeFile(files[index] ?? '', bytes)));
		await withPage(openPage(fixture.n8n.url), path, async (page) => {
			await page.goto(`${fixture.n8n.url}/form/${path}`);
			await page.setInputFiles('input[type="file"]', files);
			await page.click('#submit-btn');
			await page.getByText('Your response has been recorded').waitFor({ timeout: 60_000 });
		});
		const execution = await fixture.api.lastExecution(id);

		assertSuccess(execution);
		assert.equal(fixture.charged().length, count);
		assert.deepEqual(
			fixture
				.calls()
				.map(({ files: [file] }) => file?.bytes)
				.sort(),
			sent.map(({ length }) => length).sort(),
		);
		return rowsOf(execution, 'Remove Background').map(({ json }) => json.source);
	};

	describe('A form in a combined workflow, with the legacy expression engine', () => {
		it('hands its one photo to a node with nothing changed but the operation', async () => {
			assert.deepEqual(await sourcesOf('combined-one', 1, {}), [undefined]);
		});

		it('hands three photos to All Images of the Item', async () => {
			assert.deepEqual(await sourcesOf('combined-three', 3, { inputType: 'all' }), [
				'Your photos_0',
				'Your photos_1',
				'Your photos_2',
			]);
		});
	});
}
