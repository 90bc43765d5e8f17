import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Sandbox } from '../../../sandbox/index.js';
import { sendJson, type Answer } from '../../sandbox/clients.js';

/** The sandbox's page as a person uses it. */
export class SandboxPage {
	/** What the browser's console says against the page. */
	readonly complaints: string[] = [];

	constructor(
		readonly page: Page,
		readonly sandbox: Sandbox,
	) {
		page.setDefaultTimeout(30_000);
		page.on('pageerror', (error) => this.complaints.push(String(error)));
		page.on('console', (message) => {
			if (message.type() === 'error') this.complaints.push(message.text());
		});
	}

	/** Another page of the same browser, for a sandbox of its own. */
	readonly another = async (): Promise<Page> => {
		const page = await this.page.context().browser()?.newPage();
		if (page === undefined) throw new Error('The browser is closed');
		return page;
	};

	/** Opens it anew, with nothing called yet. */
	readonly open = async (): Promise<void> => {
		await this.sandbox.reset();
		this.complaints.length = 0;
		await this.page.goto(this.sandbox.url);
		await this.page.getByText('Waiting for the first call').waitFor();
	};

	/** Calls the Image Generator, with a small picture. */
	readonly call = async (text: string, more: Record<string, string> = {}): Promise<Answer> =>
		await sendJson(this.sandbox.url, 'text2img', { text, width: '128', height: '128', ...more });

	/** The row of a call. */
	readonly row = (number: number): Locator => this.page.locator(`.call[data-number="${number}"]`);

	readonly click = async (name: string): Promise<void> => {
		await this.page.getByRole('button', { name, exact: true }).click();
	};

	/** Waits until a part of the page says something. */
	readonly says = async (place: string, text: string | RegExp): Promise<void> => {
		await this.page.locator(place, { hasText: text }).first().waitFor();
	};

	/** Waits until the picture of a call is there, and decodes it. */
	readonly pictureOf = async (number: number): Promise<void> => {
		await this.row(number).locator('img').waitFor();
		const image = `document.querySelector('.call[data-number="${number}"] img')`;
		assert.equal(await this.page.evaluate(`${image}.decode().then(() => ${image}.complete)`), true);
	};
}
