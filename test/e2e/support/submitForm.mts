import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPage } from '../../../scripts/host/openEditor.mjs';
import { cache } from '../../../scripts/tools/checkout.mjs';
import type { Fixture } from './fixture.mjs';

type Files = Parameters<Page['setInputFiles']>[1];

/**
 * Opens a form in a browser of its own, fills in its text field and submits it with files. Calls
 * `use` meanwhile. On failure it saves a screenshot and lists the page's requests: n8n's forms
 * poll, and stop for good after a missing response (read in 1.123.81 and 2.40.3).
 */
export async function submitForm(
	{ n8n, host }: Fixture,
	path: string,
	text: string,
	files: Files,
	use: (page: Page) => Promise<void>,
): Promise<void> {
	const page = await openPage(n8n.url);
	page.setDefaultTimeout(60_000);
	const traffic = trafficOf(page);
	try {
		await page.goto(`${n8n.url}/form/${path}`);
		await page.locator('input[type="text"]').fill(text);
		await page.setInputFiles('input[type="file"]', files);
		await Promise.all([use(page), page.click('#submit-btn')]);
	} catch (error) {
		const file = join(cache, 'e2e', `${path}-${host.version}.png`);
		await page.screenshot({ path: file, fullPage: true });
		const requests = traffic.join('\n');
		throw new Error(`Screenshot: ${file}\nRequests:\n${requests}`, { cause: error });
	} finally {
		await page.context().browser()?.close();
	}
}

/**
 * The page's requests and responses, with milliseconds since the start. Grows while the page is
 * open.
 */
function trafficOf(page: Page): string[] {
	const start = Date.now();
	const lines: string[] = [];
	const log = (text: string) => lines.push(`${Date.now() - start} ms: ${text}`);
	page.on('request', (request) => log(`${request.method()} ${request.url()}`));
	page.on('response', (answer) => log(`${answer.status()} from ${answer.url()}`));
	page.on('requestfailed', (request) => log(`no response from ${request.url()}`));
	page.on('pageerror', ({ message }) => log(message));
	return lines;
}
