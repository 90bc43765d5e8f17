import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fixture } from '../support/fixture.mjs';
import { form, imageGeneration } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { submitForm } from '../support/submitForm.mjs';
import { threePhotos } from '../support/threePhotos.mjs';
import { chain, workflow } from '../support/workflow.mjs';

const settings = { binaryMode: 'combined' };

/**
 * n8n's default expression engine reads `$item` before each lookup. In a combined workflow that is
 * the item's JSON, which a trigger does not have before it has run, so an address that is an
 * expression can't be computed (read in @n8n/expression-runtime of 2.40.3).
 */
export function refusedFormCases(fixture: Fixture): void {
	describe('A form in a combined workflow, with n8n’s default settings', () => {
		it('is refused by n8n itself, even without another node', async () => {
			const nodes = [form('refused', 'Your photo', false)];
			const id = await fixture.api.createWorkflow(workflow('Refused', nodes, [], settings));

			await assert.rejects(fixture.api.activate(id), /activate: 500/);
		});
	});
}

/** What docs/compatibility.md recommends: n8n with N8N_EXPRESSION_ENGINE=legacy. */
export function combinedFormCases(fixture: Fixture): void {
	/** Sends photos to the node through a form. @returns the `source` of each output item */
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
		const sent = (await threePhotos()).slice(0, count);
		await submitForm(fixture, path, sent);
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
		it('passes its only photo to a node when only the operation is changed', async () => {
			assert.deepEqual(await sourcesOf('combined-one', 1, {}), [undefined]);
		});

		it('passes three photos to All Images of the Item', async () => {
			assert.deepEqual(await sourcesOf('combined-three', 3, { inputType: 'all' }), [
				'Your photos_0',
				'Your photos_1',
				'Your photos_2',
			]);
		});
	});
}
