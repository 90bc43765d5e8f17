import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { uploadToWebhook } from '../support/callWebhook.mjs';
import { photo, type Fixture } from '../support/fixture.mjs';
import { imageGeneration, respondWithFile, webhook } from '../support/nodes.mjs';
import { chain, workflow, type WorkflowNode } from '../support/workflow.mjs';

const called: WorkflowNode = {
	name: 'When called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

const call = (workflowId: string): WorkflowNode => ({
	name: 'Call',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	parameters: {
		workflowId: { __rl: true, mode: 'id', value: workflowId },
		workflowInputs: { mappingMode: 'defineBelow', value: {} },
		options: {},
	},
});

/** The node in a sub-workflow. */
export function subWorkflowCases(fixture: Fixture): void {
	describe('a sub-workflow', () => {
		it('receives its caller’s photo and returns the image', async () => {
			const sub = await fixture.api.createWorkflow(
				workflow(
					'Cut out',
					[
						called,
						imageGeneration(
							'Remove Background',
							{ operation: 'removeBackground', binaryPropertyName: 'photo' },
							{ credentials: fixture.credentials },
						),
					],
					chain('When called', 'Remove Background'),
				),
			);
			// n8n 2 runs only published workflows; n8n 1 cannot publish one without an event
			// trigger.
			if (fixture.host.version.startsWith('2.')) await fixture.api.activate(sub);
			await fixture.api.publish(
				workflow(
					'Call the other',
					[webhook('sub', { responseMode: 'responseNode' }), call(sub), respondWithFile()],
					chain('Webhook', 'Call', 'Respond'),
				),
				'/webhook/sub',
			);
			const answer = await uploadToWebhook(fixture, 'sub', photo);

			assert.equal(answer.headers.get('content-type'), 'image/png');
			const [job] = fixture.charged();
			assert.deepEqual(
				Buffer.from(await answer.arrayBuffer()),
				await fixture.sandbox.output(job?.jobId ?? ''),
			);
			assert.equal(fixture.charged().length, 1);
		});
	});
}
