import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { cache } from '../tools/checkout.mjs';
import { atEnd } from '../tools/ending.mjs';
import { PlainError } from '../tools/PlainError.mjs';
import { chromiumPath } from './debianPackages.mjs';
import type { N8nSession } from './N8nSession.mjs';

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// No page can reach the internet. Playwright's routes do that as well, but turn off the browser's cache.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Opens an empty page in a new headless Chromium that is signed in to n8n. */
export async function openEditor({ url, cookie }: N8nSession): Promise<Page> {
	const page = await openPage();
	const cookies = cookie.split('; ').map((pair) => {
		const [name = '', value = ''] = pair.split(/=(.*)/);
		return { name, value, url };
	});
	await page.context().addCookies(cookies);
	return page;
}

/** Opens an empty page in a headless Chromium, which is a new one by default. */
export async function openPage(browser?: Browser): Promise<Page> {
	const opened = browser ?? (await openBrowser());
	return await opened.newPage({
		viewport: { width: 1440, height: 900 },
		// Screenshots for the docs have more pixels.
		deviceScaleFactor: process.env.SCREENSHOTS === undefined ? 1 : 1.5,
		colorScheme: 'light',
		reducedMotion: 'reduce',
	});
}

/** Starts a headless Chromium whose pages can reach only this machine. Closes it with this process. */
export async function openBrowser(): Promise<Browser> {
	if (!existsSync(chromiumPath)) {
		throw new PlainError(
			`There is no Chromium at ${chromiumPath}. On Debian: apt-get install -y chromium. ` +
				'Elsewhere, set the environment variable CHROMIUM to its path.',
		);
	}
	const home = join(cache, 'chromium');
	mkdirSync(home, { recursive: true });
	const browser = await chromium.launch({
		executablePath: chromiumPath,
		args: flags,
		// Chromium writes crash reports and dconf's cache to HOME, wherever its profile is.
		env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
		// scripts/tools/ending.mjs handles the signals.
		handleSIGHUP: false,
		handleSIGINT: false,
		handleSIGTERM: false,
	});
	atEnd(() => browser.close());
	return browser;
}
