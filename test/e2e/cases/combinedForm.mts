import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertSuccess, rowsOf } from '../support/execution.mjs';
import { threePhotos, upload, type Fixture } from '../support/fixture.mjs';
import { form } from '../support/nodes.mjs';

const settings = { binaryMode: 'combined' };

/**
 * n8n's default expression engine reads `$item` before each lookup. In a combined workflow that is
 * the item's JSON, which a trigger does not have before it has run, so an address that is an
 * expression can't be computed (read in @n8n/expression-runtime of 2.40.3).
 */
export function refusedFormCase(fixture: Fixture): void {
	it('a form in a combined workflow is refused by n8n itself, even without another node', async () => {
		const refused = fixture.publish([form('refused', 'Your photo')], { settings });

		await assert.rejects(refused, /activate: 500/);
	});
}

/** What docs/compatibility.md recommends: n8n with N8N_EXPRESSION_ENGINE=legacy. */
export function combinedFormCases(fixture: Fixture): void {
	for (const [name, parameters, sources] of [
		['its only photo to a node when only the operation is changed', {}, [undefined]],
		[
			'three photos to All Images of the Item',
			{ inputType: 'all' },
			['Photos_0', 'Photos_1', 'Photos_2'],
		],
	] as const) {
		it(`a form in a combined workflow passes ${name}, with the legacy expression engine`, async () => {
			const count = sources.length;
			const path = `combined-${count}`;
			const node = fixture.node('Cut out', { operation: 'removeBackground', ...parameters });
			const id = await fixture.publish([form(path, 'Photos', count > 1), node], { settings });
			const photos = (await threePhotos()).slice(0, count);
			const files = photos.map((bytes) => ['field-0', 'photo.jpg', bytes] as const);
			await fixture.call(path, upload(...files), 'form');
			const execution = await fixture.api.lastExecution(id);

			assertSuccess(execution);
			assert.deepEqual(
				rowsOf(execution, 'Cut out').map(({ json }) => json.source),
				sources,
			);
			assert.equal(fixture.charged().length, count);
			assert.deepEqual(
				fixture
					.calls()
					.map(({ files: [file] }) => file?.bytes)
					.sort(),
				photos.map(({ length }) => length).sort(),
			);
		});
	}
}
