import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Fixture } from '../../support/fixture.mjs';
import { assertSuccess, rowsOf } from '../../support/rows.mjs';
import { shipped } from './shipped.mjs';

/** The examples started by hand. */
export function manualCases(fixture: Fixture, hostName: string): void {
	const opened = async (file: string) => {
		const workflow = shipped(fixture, file);
		return { ...workflow, id: await fixture.api.createWorkflow(workflow) };
	};
	/** Presses "Execute workflow", for which n8n 1.123.81 needs the whole workflow. */
	const execute = async (workflowData: Awaited<ReturnType<typeof opened>>, trigger = 'Start') => {
		const execution = await fixture.api.run(workflowData.id, () =>
			fixture.session.post(`/workflows/${workflowData.id}/run`, {
				workflowData,
				triggerToStartFrom: { name: trigger },
			}),
		);
		assertSuccess(execution);
		return execution;
	};
	const run = async (file: string) => await execute(await opened(file));

	void describe('Folder with Error Report', () => {
		void it('saves the cut-out and reports the file that is not an image', async () => {
			await run('folder-with-error-report.json');

			const files = await readdir(fixture.files);
			assert.ok(files.includes('astronaut-no-background.png'), files.join());
			const report = await readFile(join(fixture.files, 'not-done.csv'), 'utf8');
			const [head = '', row = '', ...more] = report.trim().split('\n');
			assert.equal(head.replace('\ufeff', ''), 'file,id,link,reason,whatToDo');
			assert.match(row, /^README\.md,,,.*is not an image/);
			assert.deepEqual(more, []);
			assert.equal(fixture.charged().length, 1);
		});
	});

	void describe('Nightly Folder', { skip: hostName === 'n8n-1' && 'needs n8n 2' }, () => {
		void it('buys nothing in the second night, and saves the same image', async () => {
			const workflow = await opened('nightly-folder.json');
			await execute(workflow, 'Every Night');
			const saved = join(fixture.files, 'astronaut-no-background.png');
			const first = await readFile(saved);
			await rm(saved);
			await execute(workflow, 'Every Night');

			assert.deepEqual(await readFile(saved), first);
			assert.equal(fixture.charged().length, 1);
		});
	});

	void describe('Budget', () => {
		void it('checks the list for free, buys it and says how many images were paid', async () => {
			const execution = await run('budget.json');

			const files = await readdir(fixture.files);
			assert.ok(files.includes('a-red-fox-in-the-snow.jpg'), files.join());
			assert.equal(rowsOf(execution, 'Images Paid')[0]?.json.imagesPaid, '2');
			assert.equal(fixture.charged().length, 2);
		});
	});

	void describe('Blog Illustrations', () => {
		void it('saves an image for each title, named after it and in the size of its shape', async () => {
			await run('blog-illustrations.json');

			const files = await readdir(fixture.files);
			for (const name of ['why-foxes-are-red', 'ten-quiet-lakes', 'baking-with-rye']) {
				assert.ok(files.includes(`${name}.jpg`), files.join());
			}
			const sizes = fixture.charged().map(({ fields }) => fields['width']);
			assert.deepEqual(sizes.sort(), ['1024', '512', '576']);
		});
	});

	void describe('Chain by Links', () => {
		void it('saves the last of three images, each made from the previous one', async () => {
			await run('chain-by-links.json');

			const files = await readdir(fixture.files);
			assert.ok(files.includes('a red bicycle on a white table.png'), files.join());
			const [drawn, edited, cutOut] = fixture.charged();
			assert.equal(edited?.fields['image'], drawn?.outputUrl);
			assert.equal(cutOut?.fields['image'], edited?.outputUrl);
		});
	});
}
