import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openEditor } from '../../../scripts/host/openEditor.mjs';
import { owner } from '../../../scripts/host/prepare.mjs';
import { cache } from '../../../scripts/tools/checkout.mjs';

/** n8n's editor as a person uses it (2.40.3). */
export class Editor {
	private constructor(readonly page: Page) {}

	static async open(url: string): Promise<Editor> {
		const page = await openEditor(url, owner);
		page.setDefaultTimeout(30_000);
		return new Editor(page);
	}

	readonly part = (testId: string): Locator => this.page.locator(`[data-test-id="${testId}"]`);

	readonly node = (name: string): Locator =>
		this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

	/** Opens a workflow, in full view. */
	readonly openWorkflow = async (url: string): Promise<void> => {
		await this.page.goto(url);
		await this.part('canvas-node').first().waitFor();
	};

	readonly openNode = async (name: string): Promise<void> => {
		await this.node(name).dblclick();
		await this.part('ndv').waitFor();
	};

	readonly closeNode = async (): Promise<void> => {
		await this.part('ndv-close-button').click();
		await this.part('ndv').waitFor({ state: 'detached' });
	};

	/** The names of the node's fields that a person sees, from top to bottom. */
	readonly fieldNames = async (): Promise<string[]> => {
		const labels = this.part('node-parameters')
			.first()
			.locator('[data-test-id="input-label"] label');
		const shown = await labels.filter({ visible: true }).allInnerTexts();
		return shown.map((text) => text.split('\n')[0]?.trim() ?? '').filter((text) => text !== '');
	};

	/** What a list of the node offers. Leaves it open. */
	readonly offers = async (parameter: string): Promise<string[]> => {
		await this.part(`parameter-input-${parameter}`).click();
		const items = this.#openList();
		await items.first().waitFor();
		return (await items.allInnerTexts()).map((text) => text.split('\n')[0]?.trim() ?? '');
	};

	/** Chooses from a list of the node. */
	readonly choose = async (parameter: string, option: string): Promise<void> => {
		await this.part(`parameter-input-${parameter}`).click();
		const name = this.page.getByText(option, { exact: true });
		await this.#openList().filter({ has: name }).click();
		await this.#openList().first().waitFor({ state: 'hidden' });
	};

	readonly pressEscape = async (): Promise<void> => {
		await this.page.keyboard.press('Escape');
	};

	/** Closes what n8n has put into the corner. */
	readonly closeNotes = async (): Promise<void> => {
		const notes = this.page.locator('.el-notification');
		for (const note of await notes.all()) await note.locator('.el-notification__closeBtn').click();
		await notes.first().waitFor({ state: 'detached' });
	};

	/** Takes a picture, for the README where `npm run screenshots` asks for it. */
	readonly picture = async (name: string): Promise<void> => {
		const folder = process.env.SCREENSHOTS ?? join(cache, 'e2e', 'images');
		await this.page.screenshot({ path: join(folder, name), animations: 'disabled' });
	};

	async close(): Promise<void> {
		await this.page.context().browser()?.close();
	}

	#openList(): Locator {
		return this.page.locator('.el-select-dropdown__item').filter({ visible: true });
	}
}
