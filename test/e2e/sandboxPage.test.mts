import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { startSandbox, type SandboxOptions } from '../../sandbox/index.js';
import { openPage } from '../../scripts/host/openEditor.mjs';
import { send } from '../sandbox/clients.js';
import { assertSuccess } from './support/execution.mjs';
import { photo, useFixture } from './support/fixture.mjs';
import { webhook } from './support/nodes.mjs';
import { SandboxPage } from './support/SandboxPage.mjs';

const attacks = [
	'<img src=x onerror="window.pwned=1">',
	'"><script>window.pwned=1</script>',
	"' onmouseover='window.pwned=1",
	'</p></li></ol><h1>pwned</h1>',
	'${window.pwned=1} {{window.pwned=1}} javascript:window.pwned=1',
	'<style>body{display:none}</style>',
	'\u202egnp.exe\u202c \u2067right\u2069',
];

describe("The sandbox's page in Chromium", () => {
	const fixture = useFixture({ hostName: 'n8n-2', name: 'sandbox-page' });
	let view: SandboxPage;
	before(async () => {
		// This page can reach only the sandbox, because it must work without internet access.
		view = new SandboxPage(await openPage(fixture.sandbox.url), fixture.sandbox);
	});
	after(async () => await view.page.context().browser()?.close());
	beforeEach(async () => {
		await view.open();
	});
	/** Opens the page of another sandbox. */
	const openOther = async (context: TestContext, options?: SandboxOptions) => {
		const sandbox = await startSandbox(options);
		context.after(() => sandbox.close());
		const other = new SandboxPage(await openPage(sandbox.url), sandbox);
		context.after(() => other.page.context().browser()?.close());
		await other.open();
		return other;
	};

	describe('the list of requests', () => {
		it('starts with instructions that name the address and the key', async () => {
			const { page, sandbox } = view;
			const copies = await page.locator('.copies').innerText();
			assert.ok(copies.includes(sandbox.url) && copies.includes('test-key'), copies);
			const command = await page.locator('.command').innerText();
			assert.ok(command.includes(`${sandbox.url}/api/text2img`), command);
		});

		it('makes calls of every operation from the page', async () => {
			const { click, page, pictureOf, row, sandbox } = view;
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
			const shape = { image_generator_version: 'hd', width: '1216', height: '832' };
			assert.deepEqual(
				sandbox.ledger.map(({ fields }) => fields),
				[
					{ text: 'a red fox in a forest at sunset', ...shape },
					{ text: 'make it black and white' },
					{},
				],
			);
		});

		it('repeats a call with its command for curl', async () => {
			const { edit, page, row, sandbox, says } = view;
			const folder = await mkdtemp(join(tmpdir(), 'curl-'));
			const name = "it's a photo; 1.jpg";
			await writeFile(join(folder, name), photo);
			const text = "@it's\n<b> $HOME; \\x '\u0003\u001b[201~\u0085'";
			await edit({ text, image_generator_version: 'genius' }, name);
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

		it('shows files, rejections with their reasons and misunderstood instructions', async () => {
			const { call, click, edit, page, row } = view;
			await edit({ text: 'add a hat' });
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
			const { page, says } = view;
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
			const { call, page, row } = view;
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

		it('says that the sandbox is gone', async (context) => {
			const { page, sandbox } = await openOther(context);
			await page.getByText('Live', { exact: true }).waitFor();
			await sandbox.close();
			await page.getByText('Not connected. Is the sandbox running?').waitFor();
		});
	});

	describe('the list of faults', () => {
		it('arms "429 twice", which the node in n8n survives, and the page shows the image and its price without reloading', async () => {
			const { click, consoleErrors, pictureOf, row, says, sandbox } = view;
			await click('429 twice');
			await says('.armed', 'rate-limit');
			const parameters = { operation: 'generate', prompt: 'a boat', size: '512x512' };
			const nodes = [webhook('through'), fixture.node('Generate', parameters)];
			assertSuccess(await fixture.run(nodes));
			await row(1).getByText('Fault rate-limit: answered 429.').waitFor();
			await row(2).getByText('Fault rate-limit: answered 429.').waitFor();
			await row(3).getByText('a boat').waitFor();
			await row(3).getByText('1 generation').waitFor();
			await row(3).getByText('Charged, answered 200; downloaded once.').waitFor();
			await pictureOf(3);
			await says('[data-figure="allowance"]', '999');
			await says('.badge', 'none armed');
			assert.equal(sandbox.ledger.length, 1);
			assert.deepEqual(consoleErrors, []);
		});

		it('arms any other fault and disarms all', async () => {
			const { click, page, sandbox, says } = view;
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

		it('names a fault after the charge and one of a download, and counts other downloads than its own', async () => {
			const { call, page, pictureOf, row, sandbox } = view;
			for (const fault of ['delay', 'delay-after', '5xx-after', 'download-500'] as const) {
				sandbox.arm({ fault, ...(fault.startsWith('delay') && { delayMs: 1 }) });
			}
			for (let time = 0; time < 3; time++) await call('x');
			await pictureOf(1);
			await row(1).getByText('Charged, answered 200 after a delay; not downloaded yet.').waitFor();
			await page.locator('.call[data-number="2"][data-outcome="charged"]').waitFor();
			await row(3).getByText('Charged, then fault 5xx-after: answered 500').waitFor();
			await send(sandbox.ledger[2]?.outputUrl ?? '');
			await row(3).getByText('download faults: download-500').waitFor();
			for (let time = 0; time < 2; time++) await send(sandbox.ledger[0]?.outputUrl ?? '');
			await row(1).getByText('downloaded 2 times').waitFor();
		});
	});

	describe('the account', () => {
		it('can be used up, topped up, moved to the next month and reset', async () => {
			const { call, click, page, row, sandbox, says } = view;
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

		it('can have a valid rate limit, whose refusals the page shows', async () => {
			const { call, click, page, says } = view;
			await page.locator('input[name="calls"]').fill('2000000');
			await click('Set limit');
			await says('#news', 'calls is 2000000; it must be an integer from 1 to 1000000.');
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

		it('can be chosen if there are several keys', async (context) => {
			const keys = ['one', 'two & three'];
			const { click, page, sandbox, says } = await openOther(context, { apiKey: keys });
			await page.getByLabel('Show the account of').selectOption('two & three');
			await page.waitForURL(/key=/);
			await says('.copies', 'two & three');
			await click('Use everything up');
			await click('429 twice');
			await says('[data-figure="allowance"]', /^0$/);
			await says('.armed', 'rate-limit');
			const allowances = keys.map((key) => sandbox.forKey(key).account.allowanceLeft);
			assert.deepEqual(allowances, [1000, 0]);
		});
	});

	describe('text from outside', () => {
		it('stays text, and cannot reverse the direction of the text around it', async () => {
			const { call, consoleErrors, edit, page, row, sandbox, says } = view;
			for (const text of attacks) {
				await edit({ text, 'a<b>': text }, `${text.replaceAll('"', "'")}.jpg`);
				await call('x', { width: text });
				await send(`${sandbox.url}/api/${encodeURIComponent(text)}`, { method: 'POST' });
				sandbox.arm({ fault: 'status', when: text });
			}
			await row(3 * attacks.length).waitFor();
			await says('.armed', 'status');
			for (const [index, text] of attacks.entries()) {
				const prompt = row(3 * index + 1).locator('.prompt');
				assert.equal(await prompt.textContent(), text);
			}
			for (const place of ['.prompt', '.outcome bdi', '.chips bdi']) {
				const isolation = `[...document.querySelectorAll('#calls ${place}')]
					.every((element) => getComputedStyle(element).unicodeBidi === 'isolate')`;
				assert.ok(await page.locator(`#calls ${place}`).count());
				assert.equal(await page.evaluate(isolation), true);
			}
			assert.equal(await page.evaluate('window.pwned'), undefined);
			const foreign = '#calls :is(script, style, h1, [onerror], [onmouseover])';
			assert.equal(await page.locator(foreign).count(), 0);
			assert.equal(await page.locator('.picture img').count(), attacks.length);
			assert.deepEqual(consoleErrors, []);
		});

		it('would not run as markup, because only the page’s own scripts may', async () => {
			const { headers } = await send(view.sandbox.url);
			const policy = headers['content-security-policy'] ?? '';
			assert.match(policy, /^default-src 'none'; script-src 'self' 'nonce-[\w+/=]+'; style-src/);
			assert.doesNotMatch(policy, /unsafe/);
		});
	});

	it('a thousand requests leave the newest and older ones on demand', async (context) => {
		const { call, click, page, row, sandbox, says } = await openOther(context, {
			keepRequests: 500,
		});
		// An invalid width, so that nothing is drawn.
		for (let batch = 0; batch < 10; batch++) {
			const calls = Array.from({ length: 100 }, async () => await call('x', { width: '1' }));
			await Promise.all(calls);
		}
		await row(1000).waitFor();
		assert.equal(sandbox.requests.length, 500);
		const rows = page.locator('.call');
		assert.ok((await rows.count()) <= 200);
		await page.reload();
		await row(1000).waitFor();
		assert.equal(await rows.count(), 50);
		await click('Show older calls');
		await row(901).waitFor();
		assert.equal(await rows.count(), 100);
		await says('.bar', '1000');
	});
});
