import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSandbox } from '../../../../sandbox/index.js';
import { SandboxPage } from '../../support/SandboxPage.mjs';

/** A page left open while a workflow sends thousands of requests. */
export function manyCallsCases(view: () => SandboxPage): void {
	describe('ten thousand requests', () => {
		it('leave the newest on the page, and older ones on demand', async () => {
			const sandbox = await startSandbox({ keepRequests: 5000 });
			const page = await view().another();
			try {
				const { call, click, open, row, says } = new SandboxPage(page, sandbox);
				await open();
				// An invalid width, so that nothing is drawn.
				for (let batch = 0; batch < 100; batch++) {
					const calls = Array.from({ length: 100 }, async () => await call('x', { width: '1' }));
					await Promise.all(calls);
				}
				await row(10_000).waitFor();
				assert.equal(sandbox.requests.length, 5000);
				const rows = page.locator('.call');
				assert.ok((await rows.count()) <= 200);
				await page.reload();
				await row(10_000).waitFor();
				assert.equal(await rows.count(), 50);
				await click('Show older calls');
				await row(9901).waitFor();
				assert.equal(await rows.count(), 100);
				await says('.bar', '10000');
			} finally {
				await page.close();
				await sandbox.close();
			}
		});
	});
}
