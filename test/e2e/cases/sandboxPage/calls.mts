import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startSandbox } from '../../../../sandbox/index.js';
import { clients, send } from '../../../sandbox/clients.js';
import { callWebhook } from '../../support/callWebhook.mjs';
import { photo, type Fixture } from '../../support/fixture.mjs';
import { imageGeneration, webhook } from '../../support/nodes.mjs';
import type { SandboxPage } from '../../support/SandboxPage.mjs';
import { chain, workflow } from '../../support/workflow.mjs';

/** How the page shows requests. */
export function callCases(fixture: Fixture, view: () => SandboxPage): void {
	describe('the list of requests', () => {
		it('starts with instructions that name the address and the key', async () => {
			const { page, sandbox } = view();
			const copies = await page.locator('.copies').innerText();
			assert.ok(copies.includes(sandbox.url) && copies.includes('test-key'), copies);
			const command = await page.locator('.command').innerText();
			assert.ok(command.includes(`${sandbox.url}/api/text2img`), command);
		});

		it('shows the image and price of a workflow’s request without reloading', async () => {
			const { row, says, pictureOf, consoleErrors } = view();
			await fixture.api.publish(
				workflow(
					'Seen',
					[
						webhook('seen', { responseData: 'noData' }),
						imageGeneration(
							'Generate',
							{ operation: 'generate', prompt: 'a red fox in n8n', size: '512x512' },
							{ credentials: fixture.credentials },
						),
					],
					chain('Webhook', 'Generate'),
				),
				'/webhook/seen',
			);
			await callWebhook(fixture, 'seen', {});
			await row(1).getByText('a red fox in n8n').waitFor();
			await pictureOf(1);
			await row(1).getByText('1 generation').waitFor();
			await row(1).getByText('Charged, answered 200; downloaded once.').waitFor();
			await says('[data-figure="allowance"]', '999');
			assert.deepEqual(consoleErrors, []);
		});

		it('makes calls of every operation from the page', async () => {
			const { click, page, pictureOf, row, sandbox } = view();
			const image = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo };
			await page.getByLabel('Quality').selectOption('hd');
			await page.getByLabel('Size').selectOption('Wide');
			await click('Make the call');
			await row(1).getByText('a red fox in a forest at sunset').waitFor();
			await pictureOf(1);
			for (const [index, tool] of ['image-editor', 'background-remover'].entries()) {
				await page.getByLabel('Operation').selectOption(tool);
				await page.getByLabel('Image', { exact: true }).setInputFiles(image);
				await click('Make the call');
				await pictureOf(index + 2);
			}
			await row(3).getByText('Remove Background').waitFor();
			const size = { width: '1216', height: '832' };
			assert.deepEqual(
				sandbox.ledger.map(({ tool, fields }) => [tool, fields]),
				[
					[
						'text2img',
						{ text: 'a red fox in a forest at sunset', image_generator_version: 'hd', ...size },
					],
					['image-editor', { text: 'make it black and white' }],
					['background-remover', {}],
				],
			);
		});

		it('repeats a call with its command for curl', async () => {
			const { page, row, sandbox, says } = view();
			const folder = await mkdtemp(join(tmpdir(), 'curl-'));
			const name = "it's a photo; 1.jpg";
			await writeFile(join(folder, name), photo);
			const files = { image: { bytes: photo, name, type: 'image/jpeg' } };
			const fields = {
				text: "@it's\n<b> $HOME; \\x '\u0003\u001b[201~\u0085'",
				image_generator_version: 'genius',
			};
			await clients.undici({ url: sandbox.url, tool: 'image-editor', fields, files });
			await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
			await row(1).getByRole('button', { name: 'Copy as curl' }).click();
			await says('#news', 'Copied the command.');
			const command = String(await page.evaluate('navigator.clipboard.readText()'));
			assert.doesNotMatch(command, /\p{Cc}/u);
			await promisify(execFile)('bash', ['-c', command], { cwd: folder });
			await rm(folder, { recursive: true });
			const [first, again] = sandbox.requests;
			assert.deepEqual(again?.fields, first?.fields);
			assert.deepEqual(again?.files, first?.files);
			assert.equal(sandbox.ledger.length, 2);
		});

		it('shows a delayed call that was answered like any other', async () => {
			const { call, page, row, sandbox } = view();
			sandbox.arm({ fault: 'delay', delayMs: 1 });
			sandbox.arm({ fault: 'delay-after', delayMs: 1 });
			sandbox.arm({ fault: '5xx-after' });
			for (let time = 0; time < 3; time++) await call('x');
			await row(1).getByText('Charged, answered 200 after a delay; not downloaded yet.').waitFor();
			for (const [number, outcome] of [
				[1, 'charged'],
				[2, 'charged'],
				[3, 'fault'],
			] as const) {
				const place = `.call[data-number="${number}"][data-outcome="${outcome}"]`;
				await page.locator(place).waitFor();
			}
		});

		it('counts downloads, except for the page’s own', async () => {
			const { call, pictureOf, row, sandbox } = view();
			await call('x');
			await pictureOf(1);
			await row(1).getByText('not downloaded yet').waitFor();
			for (let time = 0; time < 2; time++) await send(sandbox.ledger[0]?.outputUrl ?? '');
			await row(1).getByText('downloaded 2 times').waitFor();
		});

		it('shows files, rejections with their reasons and misunderstood instructions', async () => {
			const { call, click, page, row, sandbox } = view();
			const files = { image: { bytes: photo, name: 'photo.jpg', type: 'image/jpeg' } };
			const fields = { text: 'add a hat' };
			await clients.undici({ url: sandbox.url, tool: 'image-editor', fields, files });
			await row(1).getByText('The sandbox did not understand the whole instruction').waitFor();
			await row(1).getByText('photo.jpg').waitFor();
			await call('x', { width: '7' });
			await row(2).getByText('400: width is "7"').waitFor();
			await row(2).getByText('not charged').waitFor();
			await click('Not charged');
			await row(1).waitFor({ state: 'detached' });
			await click('Charged');
			await row(2).waitFor({ state: 'detached' });
			assert.equal(await page.locator('.call').count(), 1);
		});

		it('works with the keyboard alone and shows the focus', async () => {
			const { page, says } = view();
			const names: unknown[] = [];
			for (let step = 0; step < 12; step++) {
				await page.keyboard.press('Tab');
				names.push(await page.evaluate('document.activeElement.textContent.trim()'));
				const outline = 'getComputedStyle(document.activeElement).outlineStyle';
				assert.equal(await page.evaluate(outline), 'solid');
			}
			for (const name of ['Copy', 'Top up $5', '429 twice']) assert.ok(names.includes(name), name);
			await page.getByRole('button', { name: '503 once' }).focus();
			await page.keyboard.press('Enter');
			await says('.armed', '5xx-before');
		});

		it('fits phones and desktops without scrolling sideways', async () => {
			const { call, page, row } = view();
			await call(`${'long'.repeat(100)} ${'x '.repeat(300)}`, { negative_prompt: 'y'.repeat(400) });
			const before = page.viewportSize() ?? { width: 1440, height: 900 };
			for (const width of [360, 1000, 1280]) {
				await page.setViewportSize({ width, height: 740 });
				await page.reload();
				await row(1).waitFor();
				assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
			}
			await page.setViewportSize(before);
		});

		it('says that the sandbox is gone', async () => {
			const other = await startSandbox();
			const page = await view().another();
			try {
				await page.goto(other.url);
				await page.getByText('Live', { exact: true }).waitFor();
				await other.close();
				await page.getByText('Not connected. Is the sandbox running?').waitFor();
			} finally {
				await page.close();
				await other.close();
			}
		});
	});
}
