import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { uploadToWebhook } from '../support/callWebhook.mjs';
import { photo, type Fixture } from '../support/fixture.mjs';
import type { StoredFile } from '../support/N8nApi.mjs';
import { imageGeneration, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { chain, workflow } from '../support/workflow.mjs';

/** Where a workflow keeps files: beside an item's JSON, or inside it (n8n 2 only). */
export type Layout = 'separate' | 'combined';

/** How n8n lists files in a combined layout. */
type FilesInJson = Record<string, StoredFile>;

/** Tests for one of n8n's binary data modes. */
export function binaryModeCases(fixture: Fixture, mode: string, layouts: readonly Layout[]): void {
	describe(`with files in ${mode}`, () => {
		for (const binaryMode of layouts) {
			it(`sends the photo and stores the image in a workflow with ${binaryMode} files`, async () => {
				const path = `mode-${binaryMode}`;
				const id = await fixture.api.publish(
					workflow(
						path,
						[
							webhook(path, { responseData: 'noData' }),
							imageGeneration(
								'Edit',
								{
									operation: 'edit',
									prompt: '={{ $json.body.instruction }}',
									binaryPropertyName: 'photo',
								},
								{ credentials: fixture.credentials },
							),
							imageGeneration(
								'Remove Background',
								{ operation: 'removeBackground' },
								{ credentials: fixture.credentials },
							),
						],
						chain('Webhook', 'Edit', 'Remove Background'),
						layouts.length > 1 ? { binaryMode } : {},
					),
					`/webhook/${path}`,
				);
				await uploadToWebhook(fixture, path, photo, { instruction: 'blur it' });
				const execution = await fixture.api.lastExecution(id);

				assertSuccess(execution);
				const [edited, cutOut, ...others] = fixture.charged();
				assert.deepEqual(others, []);
				const [row] = rowsOf(execution, 'Remove Background');
				const file = row?.binary?.data ?? (row?.json._files as FilesInJson | undefined)?.data;
				assert.ok(file);
				// A file's id begins with its mode. Files in memory have no id.
				assert.match(file.id ?? 'memory', new RegExp(`^${mode}`));
				assert.deepEqual(
					await fixture.api.bytesOf(file),
					await fixture.sandbox.output(cutOut?.jobId ?? ''),
				);
				const sent = fixture.calls().map(({ files }) => files[0]?.bytes);
				const between = await fixture.sandbox.output(edited?.jobId ?? '');
				assert.deepEqual(sent, [photo.length, between.length]);
			});
		}
	});
}
