import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { assertSuccess, hintsOf, rowsOf } from '../support/execution.mjs';
import { photo, threePhotos, upload, type Fixture } from '../support/fixture.mjs';
import { webhook } from '../support/nodes.mjs';
import { layoutsOf } from './binaryMode.mjs';

const sorted = (values: unknown[]) => values.map(String).sort();

/** One request that puts several files into one item. */
export function severalFilesCases(fixture: Fixture, hostName: string): void {
	for (const binaryMode of layoutsOf(hostName)) {
		it(`an item with several ${binaryMode} files has each image cut out, and the PDF among them skipped and reported`, async () => {
			const images = [...(await threePhotos()), photo];
			const [front, back, first, last] = images as [Buffer, Buffer, Buffer, Buffer];
			const execution = await fixture.run(
				[
					webhook(`several-${binaryMode}`),
					fixture.node('Cut out', { operation: 'removeBackground', inputType: 'all' }),
				],
				upload(
					['photo', 'front.jpg', front],
					['photo', 'back.jpg', back],
					['attachment_0', 'first.jpg', first],
					['attachment_1', 'prices.pdf', '%PDF-1.7', 'application/pdf'],
					// Mail programs often send no better type.
					['attachment_2', 'last.jpg', last, 'application/octet-stream'],
				),
				{ settings: hostName === 'n8n-2' ? { binaryMode } : {} },
			);

			assertSuccess(execution);
			assert.deepEqual(
				// n8n 2.40.3 may reorder the parts of a request.
				sorted(rowsOf(execution, 'Cut out').map(({ json }) => json.source)),
				['attachment_0', 'attachment_2', 'photo0', 'photo1'],
			);
			assert.deepEqual(
				sorted(fixture.calls().map(({ files }) => files[0]?.sha256)),
				sorted(images.map((bytes) => createHash('sha256').update(bytes).digest('hex'))),
			);
			assert.equal(fixture.charged().length, images.length);
			assert.match(
				hintsOf(execution, 'Cut out'),
				/1 file was skipped: prices\.pdf is not an image\./,
			);
		});
	}
}
