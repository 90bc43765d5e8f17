import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import { photo, type Fixture } from '../support/fixture.mjs';
import { imageGeneration, readFiles, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { chain, workflow, type WorkflowNode } from '../support/workflow.mjs';

const writeFiles = (folder: string): WorkflowNode => ({
	name: 'Write Files',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1,
	parameters: {
		operation: 'write',
		fileName: `=${folder}/{{ $binary.data.fileName }}`,
		options: {},
	},
});

/** A folder of photos, one of them invalid. */
export function folderCases(fixture: Fixture): void {
	describe('a folder', () => {
		it('of 20 files with one invalid gives 19 images and an error item', async () => {
			const [from, to] = [join(fixture.files, 'in'), join(fixture.files, 'out')];
			await mkdir(from);
			await mkdir(to);
			const names = Array.from({ length: 20 }, (_, place) => `${String(place + 1)}.jpg`);
			for (const name of names) {
				await writeFile(join(from, name), name === '7.jpg' ? 'no photo at all' : photo);
			}
			const id = await fixture.api.publish(
				workflow(
					'Edit a folder',
					[
						webhook('folder', { responseMode: 'lastNode', responseData: 'noData' }),
						readFiles(`${from}/*.jpg`),
						imageGeneration(
							'Edit',
							{ operation: 'edit', prompt: 'blur it' },
							{ credentials: fixture.credentials, onError: 'continueErrorOutput' },
						),
						writeFiles(to),
					],
					chain('Webhook', 'Read Files', 'Edit', 'Write Files'),
				),
				'/webhook/folder',
			);
			await callWebhook(fixture, 'folder', {});
			const execution = await fixture.api.lastExecution(id);

			assertSuccess(execution);
			const good = names.filter((name) => name !== '7.jpg');
			const edited = (name: string) => name.replace('.jpg', '-edited.jpg');
			assert.deepEqual((await readdir(to)).sort(), good.map(edited).sort());
			const rows = rowsOf(execution, 'Edit');
			assert.equal(fixture.charged().length, 19);
			for (const { json, binary } of rows) {
				const written = await readFile(join(to, binary?.data?.fileName ?? ''));
				assert.deepEqual(written, await fixture.sandbox.output(String(json.id)));
			}
			const inOrder = rowsOf(execution, 'Read Files').map(({ json }) => String(json.fileName));
			assert.deepEqual(
				rows.map(({ binary }) => binary?.data?.fileName),
				inOrder.filter((name) => name !== '7.jpg').map(edited),
			);
			const [bad, ...others] = rowsOf(execution, 'Edit', 1);
			assert.deepEqual(others, []);
			assert.equal(bad?.json.fileName, '7.jpg');
			assert.match(String(bad.json.error), /"7\.jpg" .*is not an image/);
		});
	});
}
