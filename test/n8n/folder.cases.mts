import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { assertSuccess, idsIn, rowsOf } from '../support/wholeN8n/execution.mjs';
import { photoOf, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { stock } from '../support/wholeN8n/nodes.mjs';
import { until } from '../support/wholeN8n/until.mjs';
import { workflow } from '../support/wholeN8n/workflow.mjs';

/** Nobody watches a schedule, and an invalid file stays invalid run after run. */
export function folderCase(fixture: Fixture): void {
	it('a schedule over a folder of 20 files with one invalid gives 19 images, and an item at the error output linked to its file, in each run', async () => {
		const [from, to] = [join(fixture.files, 'in'), join(fixture.files, 'out')];
		await Promise.all([from, to].map(async (folder) => await mkdir(folder)));
		const names = Array.from({ length: 20 }, (_, place) => `${String(place + 1)}.jpg`);
		for (const name of names) {
			await writeFile(join(from, name), name === '7.jpg' ? 'no photo at all' : photoOf(name));
		}
		const interval = [{ field: 'seconds', secondsInterval: 1 }];
		const parameters = { operation: 'edit', prompt: 'blur it' };
		const file = (name: string, more: Record<string, unknown>) =>
			stock(name, 'readWriteFile', 1, { ...more, options: {} });
		const id = await fixture.api.createWorkflow(
			workflow('Edit a folder', [
				stock('Schedule', 'scheduleTrigger', 1.2, { rule: { interval } }),
				file('Read Files', { operation: 'read', fileSelector: `${from}/*.jpg` }),
				fixture.node('Edit', parameters, { onError: 'continueErrorOutput' }),
				file('Write Files', {
					operation: 'write',
					// By the link to its item.
					fileName: `=${to}/{{ $('Read Files').item.json.fileName }}`,
				}),
			]),
		);
		await fixture.api.activate(id);
		await until('it has sent a request', () => fixture.calls().length > 0);
		await fixture.api.deactivate(id);
		const executions = await fixture.api.finished(id, 1);

		const valid = (list: string[]) => list.filter((name) => name !== '7.jpg');
		assert.deepEqual((await readdir(to)).sort(), valid(names).sort());
		for (const execution of executions) {
			assertSuccess(execution);
			assert.equal(execution.mode, 'trigger');
			// n8n reads a folder in no particular order.
			const read = rowsOf(execution, 'Read Files').map(({ json }) => String(json.fileName));
			assert.deepEqual(
				rowsOf(execution, 'Edit').map(({ binary }) =>
					binary?.data?.fileName?.replace(/-\w{6}\.jpg$/, ''),
				),
				valid(read).map((name) => name.replace('.jpg', '-edited')),
			);
			await fixture.assertStored(execution, 'Edit');
			const [bad, ...others] = rowsOf(execution, 'Edit', 1);
			assert.deepEqual(others, []);
			assert.deepEqual(bad?.pairedItem, { item: read.indexOf('7.jpg') });
			assert.equal(bad.json.fileName, '7.jpg');
			assert.match(String(bad.json.error), /"7\.jpg" .*not an image/);
		}
		// Each image was bought once, by the run that delivered it.
		assert.deepEqual(
			executions.flatMap((execution) => idsIn(execution, 'Edit')).sort(),
			fixture
				.charged()
				.map(({ jobId }) => jobId)
				.sort(),
		);
	});
}
