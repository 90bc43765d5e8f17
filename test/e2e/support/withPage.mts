import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cache } from '../../../scripts/tools/checkout.mjs';

/**
 * Runs `use` with a page and closes its browser. On failure it saves a screenshot and lists the
 * page's requests: n8n's forms poll, and stop for good after a missing response (read in 1.123.81
 * and 2.40.3).
 */
export async function withPage(
	opened: Promise<Page>,
	name: string,
	use: (page: Page) => Promise<void>,
): Promise<void> {
	const page = await opened;
	const traffic = trafficOf(page);
	try {
		await use(page);
	} catch (error) {
		const path = join(cache, 'e2e', `${name}.png`);
		await page.screenshot({ path, fullPage: true });
		const requests = traffic.join('\n');
		throw new Error(`Screenshot: ${path}\nRequests:\n${requests}`, { cause: error });
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
