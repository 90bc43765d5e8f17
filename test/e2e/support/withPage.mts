import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cache } from '../../../scripts/tools/checkout.mjs';

/**
 * Uses a page and closes its browser. If that fails, a picture of the page is left behind, and what
 * it asked n8n for: n8n's forms ask again and again, and stop for good when one answer is missing
 * (read in 1.123.81 and 2.40.3).
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
		const said = traffic.join('\n');
		throw new Error(`The page as it was: ${path}\nWhat it asked for:\n${said}`, { cause: error });
	} finally {
		await page.context().browser()?.close();
	}
}

/** Each request with its answer, in milliseconds since now; it grows as the page goes on. */
function trafficOf(page: Page): string[] {
	const start = Date.now();
	const lines: string[] = [];
	const say = (text: string) => lines.push(`${Date.now() - start} ms: ${text}`);
	page.on('request', (request) => say(`${request.method()} ${request.url()}`));
	page.on('response', (answer) => say(`${answer.status()} from ${answer.url()}`));
	page.on('requestfailed', (request) => say(`no answer from ${request.url()}`));
	page.on('pageerror', ({ message }) => say(message));
	return lines;
}
