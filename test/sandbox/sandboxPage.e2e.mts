import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../sandbox/index.js';
import { openBrowser, openPage } from '../../scripts/host/openEditor.mjs';
import { assertSuccess } from '../support/wholeN8n/execution.mjs';
import { photo, useFixture } from '../support/wholeN8n/fixture.mjs';
import { webhook } from '../support/wholeN8n/nodes.mjs';
import { send, sendForm, sendJson, type Answer } from './useSandbox.js';

const attacks = [
	'<img src=x onerror="window.pwned=1">',
	'"><script>window.pwned=1</script>',
	'</p></li></ol><h1>pwned</h1>',
	'\u202egnp.exe\u202c \u2067right\u2069',
];

/** The sandbox's page as users see it. */
class SandboxPage {
	/** Errors in the browser's console. */
	readonly consoleErrors: string[] = [];

	constructor(
		readonly page: Page,
		readonly sandbox: Sandbox,
	) {
		page.setDefaultTimeout(30_000);
		page.on('pageerror', (error) => this.consoleErrors.push(String(error)));
		page.on('console', (message) => {
			if (message.type() === 'error') this.consoleErrors.push(message.text());
		});
	}

	/** Resets the sandbox and opens the page. */
	readonly open = async (): Promise<void> => {
		// A page that is still loading an image when the sandbox is reset reports that it failed.
		await this.page.goto('about:blank');
		this.consoleErrors.length = 0;
		await this.sandbox.reset();
		await this.page.goto(this.sandbox.url);
		await this.page.getByText('Waiting for the first call').waitFor();
	};

	/** Sends a request to the image generator, for a small image. */
	readonly call = async (text: string, more: Record<string, string> = {}): Promise<Answer> =>
		await sendJson(this.sandbox.url, 'text2img', { text, width: '128', height: '128', ...more });

	/** Sends a photo to the image editor. */
	readonly edit = async (fields: Record<string, string>, name = 'photo.jpg'): Promise<void> => {
		const files = { image: { bytes: photo, name, type: 'image/jpeg' } };
		await sendForm(this.sandbox.url, 'image-editor', fields, files);
	};

	/** The list entry of a request. */
	readonly row = (number: number): Locator =>
		this.page.locator(`.request[data-number="${number}"]`);

	readonly click = async (name: string): Promise<void> => {
		await this.page.getByRole('button', { name, exact: true }).click();
	};

	/** Waits until an element shows this text. */
	readonly says = async (place: string, text: string | RegExp): Promise<void> => {
		await this.page.locator(place, { hasText: text }).first().waitFor();
	};

	/** Waits until a request's image is shown and decoded. */
	readonly pictureOf = async (number: number): Promise<void> => {
		await this.row(number).locator('img').waitFor();
		const image = `document.querySelector('.request[data-number="${number}"] img')`;
		assert.equal(await this.page.evaluate(`${image}.decode().then(() => ${image}.complete)`), true);
	};
}

describe("The sandbox's page in Chromium", () => {
	const fixture = useFixture({ hostName: 'n8n-2', name: 'sandbox-page' });
	let browser: Browser;
	let view: SandboxPage;
	before(async () => {
		browser = await openBrowser();
		view = new SandboxPage(await openPage(browser), fixture.sandbox);
	});
	after(() => browser.close());
	beforeEach(async () => {
		await view.open();
	});

	it('starts with instructions that name the address and the key', async () => {
		const { sandbox, says } = view;
		await says('dl', sandbox.url);
		await says('dl', 'test-key');
		await says('.first', `${sandbox.url}/api/text2img`);
	});

	it('arms "429 twice", which the node in n8n survives, and shows the image and its price without reloading', async () => {
		const { click, consoleErrors, pictureOf, row, says, sandbox } = view;
		await click('429 twice');
		await says('.armed', 'rate-limit');
		const parameters = { operation: 'generate', prompt: 'a boat', size: '512x512' };
		const nodes = [webhook('through'), fixture.node('Generate', parameters)];
		assertSuccess(await fixture.run(nodes));
		await row(1).getByText('Fault rate-limit, answered 429').waitFor();
		await row(2).getByText('Fault rate-limit, answered 429').waitFor();
		await row(3).getByText('a boat').waitFor();
		await row(3).getByText('1 generation').waitFor();
		await row(3).getByText('Charged, answered 200').waitFor();
		await pictureOf(3);
		await row(4).getByText('GET /job-view-file/').waitFor();
		await says('[data-figure="allowance"]', '999');
		await says('.armed', 'None is armed.');
		assert.equal(sandbox.ledger.length, 1);
		assert.deepEqual(consoleErrors, []);
	});

	it('shows files, refusals with their reasons and instructions that were not understood', async () => {
		const { call, edit, row } = view;
		await edit({ text: 'add a hat' });
		await row(1).getByText('The sandbox did not understand the whole instruction').waitFor();
		await row(1).getByText('photo.jpg').waitFor();
		await call('x', { width: '7' });
		await row(2).getByText('Answered 400: width is "7"').waitFor();
		await row(2).getByText('not charged').waitFor();
	});

	it('arms any other fault, names those that struck and disarms all', async () => {
		const { call, click, page, row, sandbox, says } = view;
		await page.getByLabel('Any fault').selectOption('truncated');
		await page.getByLabel('Times').fill('3');
		await click('Arm');
		await says('.armed', 'download, 3 ×');
		await click('Disarm all');
		await says('.armed', 'None is armed.');
		for (const fault of ['5xx-after', 'download-500'] as const) sandbox.arm({ fault });
		await call('x');
		await row(1).getByText('Charged, fault 5xx-after, answered 500').waitFor();
		await send(sandbox.ledger[0]?.outputUrl ?? '');
		await row(2).getByText('Fault download-500, answered 500').waitFor();
	});

	it('uses the account up, tops it up, moves it to the next month and resets it', async () => {
		const { call, click, page, row, sandbox, says } = view;
		await click('Use everything up');
		await says('[data-figure="wallet"]', '$0.00');
		assert.equal((await call('x')).status, 402);
		await row(1).getByText('402: The monthly allowance is used up').waitFor();
		await click('Top up $5');
		await says('[data-figure="wallet"]', '$5.00');
		assert.equal((await call('x')).status, 200);
		await row(2).getByText('$0.05').waitFor();
		await click('Next month');
		await says('[data-figure="allowance"]', '1000');
		page.once('dialog', (dialog) => void dialog.accept());
		await click('Start over');
		await page.getByText('Waiting for the first call').waitFor();
		assert.deepEqual(sandbox.ledger, []);
	});

	it('sets a rate limit, says why one is invalid, and turns it off', async () => {
		const { call, click, page, says } = view;
		await page.getByLabel('Calls').fill('2000000');
		await click('Set limit');
		await says('#news', 'calls: Too big');
		await page.getByLabel('Calls').fill('1');
		await page.getByLabel('Seconds').fill('3600');
		await click('Set limit');
		await says('.limit', '1 calls in 3600 s');
		assert.deepEqual([(await call('x')).status, (await call('x')).status], [200, 429]);
		await says('.limit', '1 refused');
		await click('Turn off');
		await says('.limit', 'There is none.');
	});

	it('fits phones and desktops without scrolling sideways', async () => {
		const { call, page, row } = view;
		await call(`${'long'.repeat(100)} ${'x '.repeat(300)}`, { negative_prompt: 'y'.repeat(400) });
		const size = page.viewportSize() ?? { width: 1440, height: 900 };
		for (const width of [360, 1280]) {
			await page.setViewportSize({ width, height: 740 });
			await row(1).waitFor();
			assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
		}
		await page.setViewportSize(size);
	});

	it('shows text from outside as text, which cannot reverse the direction of the text around it', async () => {
		const { call, consoleErrors, edit, page, row, sandbox } = view;
		for (const text of attacks) {
			await edit({ text, 'a<b>': text }, `${text.replaceAll('"', "'")}.jpg`);
			await call('x', { width: text });
			sandbox.arm({ fault: 'status', when: text });
		}
		await row(2 * attacks.length).waitFor();
		for (const [index, text] of attacks.entries()) {
			assert.equal(
				await row(2 * index + 1)
					.locator('.prompt')
					.textContent(),
				text,
			);
		}
		assert.equal(await page.evaluate('window.pwned'), undefined);
		assert.equal(await page.locator('#requests :is(script, style, h1, [onerror])').count(), 0);
		assert.deepEqual(consoleErrors, []);
		const policy = (await send(sandbox.url)).headers['content-security-policy'] ?? '';
		assert.match(policy, /^default-src 'none'; script-src 'self'; /);
	});

	it('says that the sandbox is gone', async (context) => {
		const sandbox = await startSandbox();
		context.after(() => sandbox.close());
		const { page } = new SandboxPage(await openPage(browser), sandbox);
		await page.goto(sandbox.url);
		await page.getByText('Live', { exact: true }).waitFor();
		await sandbox.close();
		await page.getByText('Not connected. Is the sandbox running?').waitFor();
	});
});
