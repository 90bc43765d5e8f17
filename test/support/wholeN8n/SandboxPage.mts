import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Sandbox } from '../../../sandbox/index.js';
import { clients, sendJson, type Answer } from '../../sandbox/clients.js';
import { photo } from './fixture.mjs';

/** The sandbox's page as users see it. */
export class SandboxPage {
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
		await clients.undici({ url: this.sandbox.url, tool: 'image-editor', fields, files });
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
