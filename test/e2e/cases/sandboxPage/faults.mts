import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { send } from '../../../sandbox/clients.js';
import { callWebhook } from '../../support/callWebhook.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { imageGeneration, webhook } from '../../support/nodes.mjs';
import { assertSuccess } from '../../support/rows.mjs';
import type { SandboxPage } from '../../support/SandboxPage.mjs';
import { chain, workflow } from '../../support/workflow.mjs';

/** Arming faults with the mouse. */
export function faultCases(fixture: Fixture, view: () => SandboxPage): void {
	describe('the list of faults', () => {
		it('arms "429 twice", which the node in n8n survives', async () => {
			const { click, pictureOf, row, says, sandbox } = view();
			const id = await fixture.api.publish(
				workflow(
					'Through',
					[
						webhook('through', { responseData: 'noData' }),
						imageGeneration(
							'Generate',
							{ operation: 'generate', prompt: 'a boat', size: '512x512' },
							{ credentials: fixture.credentials },
						),
					],
					chain('Webhook', 'Generate'),
				),
				'/webhook/through',
			);
			await click('429 twice');
			await says('.armed', 'rate-limit');
			await callWebhook(fixture, 'through', {});
			await row(1).getByText('Fault rate-limit: answered 429.').waitFor();
			await row(2).getByText('Fault rate-limit: answered 429.').waitFor();
			await row(3).getByText('Charged, answered 200; downloaded once.').waitFor();
			await pictureOf(3);
			await says('.badge', 'none armed');
			assertSuccess(await fixture.api.lastExecution(id));
			assert.equal(sandbox.ledger.length, 1);
		});

		it('arms any other fault and disarms all', async () => {
			const { click, page, sandbox, says } = view();
			await page.getByText(/^All \d+ faults$/).click();
			await page.getByRole('combobox', { name: 'Fault' }).selectOption('truncated');
			await page.getByLabel('Times').fill('3');
			await click('Arm');
			await says('.armed', 'download, 3 ×');
			await click('Disarm all');
			await says('.badge', 'none armed');
			const armed = await send(`${sandbox.url}/sandbox/faults`);
			assert.equal(armed.body.toString(), '[]');
		});

		it('names a fault after the charge and a failed download', async () => {
			const { call, row, sandbox } = view();
			sandbox.arm({ fault: '5xx-after' });
			sandbox.arm({ fault: 'download-500' });
			await call('x');
			await row(1).getByText('Charged, then fault 5xx-after: answered 500').waitFor();
			await send(sandbox.ledger[0]?.outputUrl ?? '');
			await row(1).getByText('download faults: download-500').waitFor();
		});
	});
}
