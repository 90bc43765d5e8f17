import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sha256 } from '../support/images.js';
import { assertSuccess, hintsOf, idsIn, imageOf, rowsOf } from '../support/wholeN8n/execution.mjs';
import { threePhotos, upload, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { webhook } from '../support/wholeN8n/nodes.mjs';

const sorted = (values: unknown[]) => values.map(String).sort();

/**
 * One of n8n's binary data modes.
 * @param ids what the ids of files begin with
 * @param layouts with files beside an item's JSON, or inside it (n8n 2 only)
 */
export function binaryModeCases(
	fixture: Fixture,
	ids: string,
	layouts: ReadonlyArray<'separate' | 'combined'> = ['separate'],
): void {
	for (const binaryMode of layouts) {
		it(`with files in ${ids}, sends all photos of a request and stores their images in a workflow with ${binaryMode} files, and names the PDF among them`, async () => {
			const [front, back, last] = await threePhotos(binaryMode === 'combined' ? 60 : 65);
			const body = upload(
				['photo', 'front.jpg', front],
				['photo', 'back.jpg', back],
				['attachment_0', 'prices.pdf', '%PDF-1.7', 'application/pdf'],
				// Mail programs often send no better type.
				['attachment_1', 'last.jpg', last, 'application/octet-stream'],
			);
			body.append('instruction', 'blur it');
			const prompt = '={{ $json.body.instruction }}';
			const execution = await fixture.run(
				[
					webhook(`mode-${binaryMode}`),
					fixture.node('Edit', { operation: 'edit', inputType: 'all', prompt }),
					fixture.node('Remove Background', { operation: 'removeBackground' }),
				],
				body,
				{ settings: { binaryMode } },
			);

			assertSuccess(execution);
			// n8n 2.40.3 may reorder the parts of a request.
			assert.deepEqual(sorted(rowsOf(execution, 'Edit').map(({ json }) => json.source)), [
				'attachment_1',
				'photo0',
				'photo1',
			]);
			assert.match(hintsOf(execution, 'Edit'), /1 file was skipped: prices\.pdf is not an image\./);
			const between = idsIn(execution, 'Edit').map((id) => fixture.sandbox.output(id));
			const expected = [front, back, last, ...(await Promise.all(between))];
			const sent = fixture.calls().map(({ files }) => files[0]?.sha256);
			assert.deepEqual(sorted(sent), sorted(expected.map(sha256)));
			assert.equal(fixture.charged().length, expected.length);
			for (const row of rowsOf(execution, 'Remove Background')) {
				// Files in memory have no id.
				assert.match(imageOf(row)?.id ?? 'memory', new RegExp(`^${ids}`));
			}
			await fixture.assertStored(execution, 'Remove Background');
		});
	}
}
