import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSandbox } from '../../../../sandbox/index.js';
import { SandboxPage } from '../../support/SandboxPage.mjs';

/** The account and the rate limit. */
export function accountCases(view: () => SandboxPage): void {
	describe('the account', () => {
		it('can be used up, topped up, moved to the next month and reset', async () => {
			const { call, click, page, row, sandbox, says } = view();
			await call('x');
			await says('[data-figure="allowance"]', '999');
			await click('Use everything up');
			await says('[data-figure="wallet"]', '$0.00');
			assert.equal((await call('x')).status, 402);
			await row(2).getByText('402: The monthly allowance is used up').waitFor();
			await click('Top up $5');
			await says('[data-figure="wallet"]', '$5.00');
			assert.equal((await call('x')).status, 200);
			await row(3).getByText('$0.05').waitFor();
			await click('Next month');
			await says('[data-figure="allowance"]', '1000');
			page.once('dialog', (dialog) => void dialog.accept());
			await click('Start over');
			await page.getByText('Waiting for the first call').waitFor();
			assert.deepEqual(sandbox.ledger, []);
		});

		it('can have a rate limit, whose refusals the page shows', async () => {
			const { call, click, page, says } = view();
			await page.locator('input[name="calls"]').fill('1');
			await page.getByLabel('Seconds').fill('3600');
			await click('Set limit');
			await says('.badge', '1 in 3600 s');
			assert.deepEqual([(await call('x')).status, (await call('x')).status], [200, 429]);
			await says('.badge', '1 refused');
			await click('Turn off');
			await says('.badge', /^off$/);
			assert.equal((await call('x')).status, 200);
		});

		it('can be chosen if there are several keys', async () => {
			const sandbox = await startSandbox({ apiKey: ['one', 'two & three'] });
			const page = await view().another();
			try {
				const { click, open, says } = new SandboxPage(page, sandbox);
				await open();
				await page.getByLabel('Show the account of').selectOption('two & three');
				await page.waitForURL(/key=/);
				await says('.copies', 'two & three');
				await click('Use everything up');
				await click('429 twice');
				await says('[data-figure="allowance"]', /^0$/);
				await says('.armed', 'rate-limit');
				const allowances = ['one', 'two & three'].map(
					(key) => sandbox.forKey(key).account.allowanceLeft,
				);
				assert.deepEqual(allowances, [1000, 0]);
			} finally {
				await page.close();
				await sandbox.close();
			}
		});

		it('shows the sandbox’s message for an invalid setting', async () => {
			const { click, page, says } = view();
			await page.locator('input[name="calls"]').fill('2000000');
			await click('Set limit');
			await says('#news', 'calls is 2000000; it must be an integer from 1 to 1000000.');
		});
	});
}
