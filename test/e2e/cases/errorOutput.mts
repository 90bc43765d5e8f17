import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSuccess, rowsOf, type Execution } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { itsPrompt, splitOut, stock, webhook } from '../support/nodes.mjs';
import { chain, type WorkflowNode } from '../support/workflow.mjs';

const prompts = ['a fox', 'a forbidden fruit', 'a boat'];
const refusal = 'This is not allowed here';
const source = {
	id: 'source',
	name: 'source',
	type: 'string',
	value: "={{ $('Split Out').item.json['body.prompts'] }}",
};
const set = (name: string) =>
	stock(name, 'set', 3.4, { assignments: { assignments: [source] }, options: {} });

/** On Error = Continue and Continue (using error output), wired as users do. */
export function errorOutputCases(fixture: Fixture): void {
	/** The service rejects the second of three items. */
	const runWith = async (onError: WorkflowNode['onError']): Promise<Execution> => {
		const parameters = { operation: 'generate', prompt: itsPrompt, size: '128x128' };
		const nodes = [
			webhook(`on-error-${onError}`),
			splitOut,
			fixture.node('Generate', parameters, { ...(onError && { onError }) }),
			set('Good'),
			set('Bad'),
		];
		const wires = [
			...chain('Webhook', 'Split Out', 'Generate', 'Good'),
			...(onError === 'continueErrorOutput' ? [{ from: 'Generate', output: 1, to: 'Bad' }] : []),
		];
		const body = { err: refusal };
		fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'forbidden' });
		const execution = await fixture.run(nodes, { prompts }, { wires });
		assertSuccess(execution);
		assert.equal(fixture.charged().length, 2);
		return execution;
	};
	const sources = (execution: Execution, node: string) =>
		rowsOf(execution, node).map(({ json }) => json.source);

	describe('On Error', () => {
		it('Continue gives every item an output item, with the service’s message for the rejected one', async () => {
			const execution = await runWith('continueRegularOutput');

			const rows = rowsOf(execution, 'Generate');
			assert.deepEqual(
				rows.map(({ json, binary }) => [json.error ?? 'delivered', binary?.data !== undefined]),
				[
					['delivered', true],
					[refusal, false],
					['delivered', true],
				],
			);
			assert.deepEqual(Object.keys(rows[1]?.json ?? {}), ['error', 'details']);
			assert.deepEqual(sources(execution, 'Good'), prompts);
		});

		it('Continue (using error output) sends each output item to its output, linked to its item', async () => {
			const execution = await runWith('continueErrorOutput');

			assert.deepEqual(sources(execution, 'Good'), ['a fox', 'a boat']);
			assert.deepEqual(sources(execution, 'Bad'), ['a forbidden fruit']);
			assert.deepEqual(
				rowsOf(execution, 'Generate', 1).map(({ json }) => json),
				[
					{
						'body.prompts': prompts[1],
						error: refusal,
						details: {
							item: `Item 2, "${prompts[1]}"`,
							advice: 'The service rejected the request. Check the fields of this item.',
							status: 400,
							serviceMessage: refusal,
						},
					},
				],
			);
		});
	});
}
