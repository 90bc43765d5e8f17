import assert from 'node:assert/strict';
import { it } from 'node:test';
import { idsIn } from '../support/wholeN8n/execution.mjs';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';
import { stock } from '../support/wholeN8n/nodes.mjs';
import { createTable, insertRows } from '../support/wholeN8n/tables.mjs';
import { untilN8n } from '../support/wholeN8n/until.mjs';
import { workflow } from '../support/wholeN8n/workflow.mjs';

/** A run of n8n's Evaluations (2.41.1). */
interface TestRun {
	status: 'new' | 'running' | 'completed' | 'error' | 'cancelled';
	errorCode: string | null;
}

/** n8n's Evaluations, which run each row of a table as an execution of its own. */
export function evaluationCase(fixture: Fixture): void {
	it('n8n’s Evaluations buy each image once, however often they run', async () => {
		const prompts = ['an evaluated fox', 'an evaluated hare', 'an evaluated crow'];
		const table = await createTable(fixture, 'Evaluated prompts', ['prompt']);
		await insertRows(
			fixture,
			'Evaluated prompts',
			prompts.map((prompt) => ({ prompt })),
		);
		const metric = { id: 'm', name: 'images', value: 1, type: 'number' };
		const id = await fixture.api.createWorkflow(
			workflow('Evaluated', [
				stock('Rows', 'evaluationTrigger', 4.7, {
					source: 'dataTable',
					dataTableId: { __rl: true, mode: 'id', value: table },
				}),
				fixture.node('Generate', { operation: 'generate', prompt: '={{ $json.prompt }}' }),
				stock('Metrics', 'evaluation', 4.7, {
					operation: 'setMetrics',
					metric: 'customMetrics',
					metrics: { assignments: [metric] },
				}),
			]),
		);
		const evaluate = async (times: number) => {
			await fixture.session.post(`/workflows/${id}/test-runs/new`, {});
			await untilN8n('the evaluation is over', async () => {
				const runs = (await fixture.session.get(`/workflows/${id}/test-runs`)) as TestRun[];
				for (const { errorCode } of runs) assert.equal(errorCode, null);
				return runs.filter(({ status }) => status === 'completed').length === times;
			});
		};
		await evaluate(1);
		await evaluate(2);

		const charged = prompts.map((prompt) => fixture.charged(prompt).map(({ jobId }) => jobId));
		assert.deepEqual(
			charged.map(({ length }) => length),
			[1, 1, 1],
		);
		const executions = await fixture.api.finished(id, 6);
		assert.deepEqual(new Set(executions.map(({ mode }) => mode)), new Set(['evaluation']));
		assert.deepEqual(
			executions.flatMap((execution) => idsIn(execution, 'Generate')).sort(),
			[...charged, ...charged].flat().sort(),
		);
	});
}
