import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rowsOf, type StoredFile } from '../support/execution.mjs';
import { photo, upload, type Fixture } from '../support/fixture.mjs';
import { webhook } from '../support/nodes.mjs';

/** Where a workflow keeps files: beside an item's JSON, or inside it (n8n 2 only). */
type Layout = 'separate' | 'combined';

/** The layouts that a version knows. */
export const layoutsOf = (hostName: string): Layout[] =>
	hostName === 'n8n-2' ? ['separate', 'combined'] : ['separate'];

/** One of n8n's binary data modes. @param ids what the ids of files begin with */
export function binaryModeCases(fixture: Fixture, hostName: string, ids: string): void {
	for (const binaryMode of layoutsOf(hostName)) {
		it(`with files in ${ids}, sends the photo and stores the image in a workflow with ${binaryMode} files`, async () => {
			const execution = await fixture.run(
				[
					webhook(`mode-${binaryMode}`),
					fixture.node('Edit', {
						operation: 'edit',
						prompt: '={{ $json.body.instruction }}',
						binaryPropertyName: 'photo',
					}),
					fixture.node('Remove Background', { operation: 'removeBackground' }),
				],
				withInstruction(),
				{ settings: hostName === 'n8n-2' ? { binaryMode } : {} },
			);

			const [edited, cutOut, ...others] = fixture.charged();
			assert.deepEqual(others, []);
			const [row] = rowsOf(execution, 'Remove Background');
			const inJson = row?.json._files as Record<string, StoredFile> | undefined;
			const file = row?.binary?.data ?? inJson?.data;
			assert.ok(file);
			// Files in memory have no id.
			assert.match(file.id ?? 'memory', new RegExp(`^${ids}`));
			assert.deepEqual(
				await fixture.api.bytesOf(file),
				await fixture.sandbox.output(cutOut?.jobId ?? ''),
			);
			const sent = fixture.calls().map(({ files }) => files[0]?.bytes);
			const between = await fixture.sandbox.output(edited?.jobId ?? '');
			assert.deepEqual(sent, [photo.length, between.length]);
		});
	}
}

function withInstruction(): FormData {
	const body = upload(['photo', 'astronaut.jpg', photo]);
	body.append('instruction', 'blur it');
	return body;
}
