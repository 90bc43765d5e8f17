import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { photo, type Fixture } from '../support/fixture.mjs';
import { form, imageGeneration, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { submitForm } from '../support/submitForm.mjs';
import { threePhotos } from '../support/threePhotos.mjs';
import { chain, workflow } from '../support/workflow.mjs';
import type { Layout } from './binaryMode.mjs';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const sorted = (values: unknown[]) => values.map(String).sort();

/** Triggers that put several files into one item, or one file into an unexpected field. */
export function severalFilesCases(fixture: Fixture, layouts: readonly Layout[]): void {
	const sent = () => fixture.calls().map(({ files }) => files[0]?.sha256);

	/** Uploads files to a webhook as a web form does. */
	const upload = async (path: string, files: [part: string, file: File][]) => {
		const body = new FormData();
		for (const [part, file] of files) body.append(part, file);
		return await fetch(`${fixture.n8n.url}/webhook/${path}`, { method: 'POST', body });
	};

	// combinedForm.mts tests forms in a combined layout.
	describe('a form with files', () => {
		it('cuts out three photos submitted at once', async () => {
			const path = 'three';
			const id = await fixture.api.publish(
				workflow(
					path,
					[
						form(path, 'Your photos', true),
						imageGeneration(
							'Remove Background',
							{ operation: 'removeBackground', inputType: 'all' },
							{ credentials: fixture.credentials },
						),
					],
					chain('On form submission', 'Remove Background'),
				),
				`/form/${path}`,
			);
			const three = await threePhotos();
			await submitForm(fixture, path, three);
			const execution = await fixture.api.lastExecution(id);

			assertSuccess(execution);
			const rows = rowsOf(execution, 'Remove Background');
			assert.deepEqual(
				rows.map(({ json }) => json.source),
				['Your_photos_0', 'Your_photos_1', 'Your_photos_2'],
			);
			assert.deepEqual(sorted(sent()), sorted(three.map(sha256)));
			assert.equal(fixture.charged().length, 3);
		});

		it('cuts out its only photo when only the operation is changed', async () => {
			const path = 'one';
			const id = await fixture.api.publish(
				workflow(
					path,
					[
						form(path, 'Your photo', false),
						imageGeneration(
							'Remove Background',
							{ operation: 'removeBackground' },
							{ credentials: fixture.credentials },
						),
					],
					chain('On form submission', 'Remove Background'),
				),
				`/form/${path}`,
			);
			await submitForm(fixture, path, [photo]);
			assertSuccess(await fixture.api.lastExecution(id));

			assert.deepEqual(sent(), [sha256(photo)]);
			assert.equal(fixture.charged().length, 1);
		});
	});

	for (const binaryMode of layouts) {
		const settings = layouts.length > 1 ? { binaryMode } : {};

		describe(`an item with several ${binaryMode} files`, () => {
			it('has both files of a multipart request edited', async () => {
				const path = `two-${binaryMode}`;
				const id = await fixture.api.publish(
					workflow(
						path,
						[
							webhook(path, { responseData: 'noData' }),
							imageGeneration(
								'Edit',
								{ operation: 'edit', prompt: 'blur it', inputType: 'all' },
								{ credentials: fixture.credentials },
							),
						],
						chain('Webhook', 'Edit'),
						settings,
					),
					`/webhook/${path}`,
				);
				const [front, back] = await threePhotos();
				await upload(path, [
					['photo', new File([front], 'front.jpg', { type: 'image/jpeg' })],
					['photo', new File([back], 'back.jpg', { type: 'image/jpeg' })],
				]);
				const execution = await fixture.api.lastExecution(id);

				assertSuccess(execution);
				const rows = rowsOf(execution, 'Edit');
				assert.deepEqual(sorted(rows.map(({ json }) => json.source)), ['photo0', 'photo1']);
				assert.deepEqual(sorted(sent()), sorted([front, back].map(sha256)));
				assert.equal(fixture.charged().length, 2);
			});

			it('has the PDF among its mail attachments skipped and reported', async () => {
				const path = `mail-${binaryMode}`;
				const id = await fixture.api.publish(
					workflow(
						path,
						[
							webhook(path, { responseData: 'noData' }),
							imageGeneration(
								'Remove Background',
								{ operation: 'removeBackground', inputType: 'all' },
								{ credentials: fixture.credentials },
							),
						],
						chain('Webhook', 'Remove Background'),
						settings,
					),
					`/webhook/${path}`,
				);
				const [first, last] = await threePhotos();
				await upload(path, [
					['attachment_0', new File([first], 'first.jpg', { type: 'image/jpeg' })],
					['attachment_1', new File(['%PDF-1.7'], 'prices.pdf', { type: 'application/pdf' })],
					// Mail programs often send no better type.
					['attachment_2', new File([last], 'last.jpg', { type: 'application/octet-stream' })],
				]);
				const execution = await fixture.api.lastExecution(id);

				assertSuccess(execution);
				assert.deepEqual(
					// n8n 2.40.3 may reorder the parts of a request.
					sorted(rowsOf(execution, 'Remove Background').map(({ json }) => json.source)),
					['attachment_0', 'attachment_2'],
				);
				assert.deepEqual(sorted(sent()), sorted([first, last].map(sha256)));
				const [run] = execution.data.resultData.runData['Remove Background'] ?? [];
				assert.match(
					JSON.stringify(run?.hints ?? []),
					/1 file was skipped: prices\.pdf is not an image\./,
				);
			});
		});
	}
}
