import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import type { Execution } from '../support/N8nApi.mjs';
import { imageGeneration, set, splitOut, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { chain, workflow, type WorkflowNode } from '../support/workflow.mjs';

/** The service rejects the second of three items. */
const prompts = ['a fox', 'a forbidden fruit', 'a boat'];
const refusal = { err: 'This is not allowed here' };
const field = 'body.prompts';
const fromSource = `={{ $('Split Out').item.json['${field}'] }}`;

/** On Error = Stop, Continue and Continue (using error output), wired as users do. */
export function errorOutputCases(fixture: Fixture): void {
	const runWith = async (path: string, onError: WorkflowNode['onError']): Promise<Execution> => {
		const wires = chain('Webhook', 'Split Out', 'Generate', 'Good');
		const id = await fixture.api.publish(
			workflow(
				path,
				[
					webhook(path, { responseData: 'noData' }),
					splitOut('prompts'),
					imageGeneration(
						'Generate',
						{
							operation: 'generate',
							prompt: `={{ $json['${field}'] }}`,
							size: '128x128',
							options: { concurrency: 1 },
						},
						{ credentials: fixture.credentials, ...(onError && { onError }) },
					),
					set('Good', { source: fromSource }),
					set('Bad', { source: fromSource }),
				],
				onError === 'continueErrorOutput'
					? [...wires, { from: 'Generate', output: 1, to: 'Bad' }]
					: wires,
			),
			`/webhook/${path}`,
		);
		fixture.sandbox.arm({ fault: 'status', status: 400, body: refusal, when: 'forbidden' });
		await callWebhook(fixture, path, { prompts });
		return await fixture.api.lastExecution(id);
	};
	const sources = (execution: Execution, node: string) =>
		rowsOf(execution, node).map(({ json }) => json.source);

	describe('On Error', () => {
		it('Stop reports what was finished and starts nothing more', async () => {
			const { status, data } = await runWith('stop', 'stopWorkflow');

			assert.equal(status, 'error');
			const [finished, ...others] = fixture.charged();
			assert.deepEqual(others, []);
			assert.equal(fixture.calls().length, 2);
			const { message, description = '' } = data.resultData.error ?? { message: '' };
			assert.match(message, /^Item 2, ".*": This is not allowed here \(1 finished image/);
			assert.ok(description.includes(finished?.outputUrl ?? '?'), description);
			assert.ok(description.includes(finished?.jobId ?? '?'), description);
		});

		it('Continue gives every item an output item, with the service’s message for the rejected one', async () => {
			const execution = await runWith('continue', 'continueRegularOutput');

			assertSuccess(execution);
			const rows = rowsOf(execution, 'Generate');
			assert.deepEqual(
				rows.map(({ json }) => json.error ?? 'delivered'),
				['delivered', refusal.err, 'delivered'],
			);
			assert.deepEqual(Object.keys(rows[1]?.json ?? {}), ['error', 'details']);
			assert.deepEqual(
				rows.map(({ binary }) => binary?.data !== undefined),
				[true, false, true],
			);
			assert.deepEqual(sources(execution, 'Good'), prompts);
			assert.equal(fixture.charged().length, 2);
		});

		it('Continue (using error output) sends each output item to its output, linked to its item', async () => {
			const execution = await runWith('both', 'continueErrorOutput');

			assertSuccess(execution);
			assert.deepEqual(sources(execution, 'Good'), ['a fox', 'a boat']);
			assert.deepEqual(sources(execution, 'Bad'), ['a forbidden fruit']);
			const [{ json } = { json: {} }, ...others] = rowsOf(execution, 'Generate', 1);
			assert.deepEqual(others, []);
			assert.deepEqual(json, {
				[field]: prompts[1],
				error: refusal.err,
				details: {
					item: `Item 2, "${prompts[1]}"`,
					advice: 'The service rejected the request. Check the fields of this item.',
					status: 400,
					serviceMessage: refusal.err,
				},
			});
			assert.equal(fixture.charged().length, 2);
		});
	});
}
