import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertSuccess, rowsOf } from '../support/wholeN8n/execution.mjs';
import { threePhotos, upload, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { form } from '../support/wholeN8n/nodes.mjs';

const settings = { binaryMode: 'combined' };

/** With N8N_EXPRESSION_ENGINE=legacy, because n8n 2.41.1 publishes no such form without it. */
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
			const trigger = form(`combined-${count}`, 'Photos', count > 1);
			const node = fixture.node('Cut out', { operation: 'removeBackground', ...parameters });
			const photos = (await threePhotos(60 + count)).slice(0, count);
			const files = photos.map((bytes) => ['field-0', 'photo.jpg', bytes] as const);
			const execution = await fixture.run([trigger, node], upload(...files), { settings });

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
