import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { photo, type Fixture } from '../support/fixture.mjs';
import { imageGeneration, readFiles } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { until } from '../support/until.mjs';
import { chain, workflow, type WorkflowNode } from '../support/workflow.mjs';

const everySecond: WorkflowNode = {
	name: 'Schedule',
	type: 'n8n-nodes-base.scheduleTrigger',
	typeVersion: 1.2,
	parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
};

/** Nobody watches a schedule, and an invalid file stays invalid run after run. */
export function scheduleCases(fixture: Fixture): void {
	describe('Schedule Trigger', () => {
		it('delivers the valid files of a folder in each run and reports the invalid one', async () => {
			const folder = join(fixture.files, 'scheduled');
			await mkdir(folder);
			await writeFile(join(folder, '1.jpg'), photo);
			await writeFile(join(folder, '2.jpg'), 'no photo at all');
			await writeFile(join(folder, '3.jpg'), photo);
			const id = await fixture.api.createWorkflow(
				workflow(
					'Scheduled',
					[
						everySecond,
						readFiles(`${folder}/*.jpg`),
						imageGeneration(
							'Cut out',
							{ operation: 'removeBackground' },
							{ credentials: fixture.credentials, onError: 'continueErrorOutput' },
						),
					],
					chain('Schedule', 'Read Files', 'Cut out'),
				),
			);
			await fixture.api.activate(id);
			await until('it has run twice', async () => (await fixture.api.executions(id)).length >= 2);
			await fixture.api.deactivate(id);
			const executions = await fixture.api.finishedExecutions(id);

			for (const execution of executions) {
				assertSuccess(execution);
				assert.equal(execution.mode, 'trigger');
				// n8n reads a folder in no particular order.
				const read = rowsOf(execution, 'Read Files').map(({ json }) => String(json.fileName));
				assert.deepEqual([...read].sort(), ['1.jpg', '2.jpg', '3.jpg']);
				const good = rowsOf(execution, 'Cut out');
				assert.deepEqual(
					good.map(({ pairedItem }) => pairedItem),
					['1.jpg', '3.jpg']
						.map((name) => read.indexOf(name))
						.sort()
						.map((item) => ({ item })),
				);
				for (const { json, binary } of good) {
					assert.ok(binary?.data);
					const kept = await fixture.api.bytesOf(binary.data);
					assert.deepEqual(kept, await fixture.sandbox.output(String(json.id)));
				}
				const [bad, ...others] = rowsOf(execution, 'Cut out', 1);
				assert.deepEqual(others, []);
				assert.match(String(bad?.json.error), /"2\.jpg" .*is not an image/);
				assert.deepEqual(bad?.pairedItem, { item: read.indexOf('2.jpg') });
			}
			// Each image was bought once, by the run that delivered it.
			const delivered = executions.flatMap((execution) => rowsOf(execution, 'Cut out'));
			assert.deepEqual(
				delivered.map(({ json }) => json.id).sort(),
				fixture
					.charged()
					.map(({ jobId }) => jobId)
					.sort(),
			);
		});
	});
}
