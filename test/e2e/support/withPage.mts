import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cache } from '../../../scripts/tools/checkout.mjs';

/** Uses a page and closes its browser. If that fails, a picture of the page is left behind. */
export async function withPage(
	opened: Promise<Page>,
	name: string,
	use: (page: Page) => Promise<void>,
): Promise<void> {
	const page = await opened;
	try {
		await use(page);
	} catch (error) {
		const path = join(cache, 'e2e', `${name}.png`);
		await page.screenshot({ path, fullPage: true });
		throw new Error(`The page as it was: ${path}`, { cause: error });
	} finally {
		await page.context().browser()?.close();
	}
}
