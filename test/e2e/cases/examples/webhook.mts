import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { callWebhook } from '../../support/callWebhook.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { shipped } from './shipped.mjs';

/** The example that other programs call. */
export function webhookExampleCases(fixture: Fixture): void {
	void describe('Webhook Image API', () => {
		before(async () => {
			await fixture.api.publish(shipped(fixture, 'webhook-image-api.json'), '/webhook/images');
		});

		void it('responds with the exact bytes that the service made', async () => {
			const answer = await callWebhook(fixture, 'images', { prompt: 'a red fox', size: '256x128' });

			assert.equal(answer.status, 200);
			assert.equal(answer.headers.get('content-type'), 'image/jpeg');
			const [job] = fixture.charged();
			assert.ok(job);
			const bytes = Buffer.from(await answer.arrayBuffer());
			assert.deepEqual(bytes, await fixture.sandbox.output(job.jobId));
		});

		void it('responds to a bad call with 400 and the reason, uncharged', async () => {
			const answer = await callWebhook(fixture, 'images', { prompt: 'a red fox', size: 'huge' });

			assert.equal(answer.status, 400);
			assert.match(((await answer.json()) as { error: string }).error, /^'Size' is "huge"/);
			assert.deepEqual(fixture.charged(), []);
		});

		void it('responds to a rejection by the service with 502 and its message', async () => {
			fixture.sandbox.arm({ fault: 'status', status: 402, body: { err: 'The wallet is empty' } });
			const answer = await callWebhook(fixture, 'images', { prompt: 'a red fox' });

			assert.equal(answer.status, 502);
			assert.equal(((await answer.json()) as { error: string }).error, 'The wallet is empty');
		});
	});
}
