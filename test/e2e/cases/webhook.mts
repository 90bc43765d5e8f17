import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { run } from '../../../scripts/tools/run.mjs';
import { photo, photoFile, upload, type Fixture } from '../support/fixture.mjs';
import { respondWithFile, stock, webhook } from '../support/nodes.mjs';
import { workflow } from '../support/workflow.mjs';

/** A photo arrives at a webhook and is returned, edited here or in a sub-workflow. */
export function webhookCases(fixture: Fixture): void {
	it('a webhook responds to a curl upload with the exact bytes that the service made', async () => {
		await fixture.publish([
			webhook('edit', 'responseNode'),
			fixture.node('Edit', {
				operation: 'edit',
				prompt: '={{ $json.body.instruction }}',
				binaryPropertyName: 'photo',
			}),
			respondWithFile,
		]);
		const answer = join(fixture.files, 'answer.jpg');
		const printed = await run(
			'curl',
			[
				...['--silent', '--show-error', '--output', answer],
				...['--write-out', '%{http_code} %{content_type}'],
				...['--form', 'instruction=make it black and white'],
				...['--form', `photo=@${photoFile};type=image/jpeg`],
				`${fixture.n8n.url}/webhook/edit`,
			],
			{ cwd: fixture.files },
		);

		assert.equal(printed, '200 image/jpeg');
		const [job, ...others] = fixture.charged();
		assert.deepEqual(others, []);
		assert.equal(job?.fields.text, 'make it black and white');
		assert.deepEqual(await readFile(answer), await fixture.sandbox.output(job.jobId));
		const [{ files: [sent] = [] } = {}] = fixture.calls();
		assert.equal(sent?.bytes, photo.length);
	});

	it('a sub-workflow receives its caller’s photo and returns the image', async () => {
		const id = await fixture.api.createWorkflow(
			workflow('Cut out', [
				stock('When called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
				fixture.node('Cut out', { operation: 'removeBackground', binaryPropertyName: 'photo' }),
			]),
		);
		// n8n 2 runs only published workflows; n8n 1 cannot publish one without an event trigger.
		if (fixture.host.version.startsWith('2.')) await fixture.api.activate(id);
		const call = stock('Call', 'executeWorkflow', 1.2, {
			workflowId: { __rl: true, mode: 'id', value: id },
			workflowInputs: { mappingMode: 'defineBelow', value: {} },
			options: {},
		});
		await fixture.publish([webhook('sub', 'responseNode'), call, respondWithFile]);
		const answer = await fixture.call('sub', upload(['photo', 'astronaut.jpg', photo]));

		assert.equal(answer.headers.get('content-type'), 'image/png');
		const [job, ...others] = fixture.charged();
		assert.deepEqual(others, []);
		const bytes = Buffer.from(await answer.arrayBuffer());
		assert.deepEqual(bytes, await fixture.sandbox.output(job?.jobId ?? ''));
	});
}
