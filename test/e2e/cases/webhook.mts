import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run } from '../../../scripts/tools/run.mjs';
import { photo, photoFile, type Fixture } from '../support/fixture.mjs';
import { imageGeneration, respondWithFile, webhook } from '../support/nodes.mjs';
import { chain, workflow } from '../support/workflow.mjs';

/** A photo arrives at a webhook and is returned edited. */
export function webhookCases(fixture: Fixture): void {
	describe('a webhook', () => {
		it('responds to a curl upload with the exact bytes that the service made', async () => {
			await fixture.api.publish(
				workflow(
					'Edit by webhook',
					[
						webhook('edit', { responseMode: 'responseNode' }),
						imageGeneration(
							'Edit',
							{
								operation: 'edit',
								prompt: '={{ $json.body.instruction }}',
								binaryPropertyName: 'photo',
							},
							{ credentials: fixture.credentials },
						),
						respondWithFile(),
					],
					chain('Webhook', 'Edit', 'Respond'),
				),
				'/webhook/edit',
			);
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
	});
}
