import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openEditor } from '../../../scripts/host/openEditor.mjs';
import { owner } from '../../../scripts/host/prepare.mjs';
import { cache } from '../../../scripts/tools/checkout.mjs';
import type { EditorMarks } from './editorMarks.mjs';

/** n8n's editor as users see it (2.40.3 and 1.123.81). */
export class Editor {
	private constructor(
		readonly page: Page,
		readonly marks: EditorMarks,
	) {}

	static async open(url: string, marks: EditorMarks): Promise<Editor> {
		const page = await openEditor(url, owner);
		page.setDefaultTimeout(30_000);
		return new Editor(page, marks);
	}

	readonly part = (testId: string): Locator => this.page.locator(`[data-test-id="${testId}"]`);

	readonly node = (name: string): Locator =>
		this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

	/** Opens a workflow. */
	readonly openWorkflow = async (url: string): Promise<void> => {
		await this.page.goto(url);
		await this.part('canvas-node').first().waitFor();
	};

	readonly openNode = async (name: string): Promise<void> => {
		await this.node(name).dblclick();
		await this.nodeIsOpen();
	};

	/** Opens a node of the execution shown in the list of executions. @returns its output panel */
	readonly openOutputInList = async (name: string): Promise<Locator> => {
		const { page, marks } = this;
		const shown = marks.execution === 'iframe' ? page.frameLocator('iframe') : page;
		await shown.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		return shown.locator('[data-test-id="output-panel"]');
	};

	readonly nodeIsOpen = async (): Promise<void> => {
		await this.part('node-parameters').waitFor();
	};

	readonly closeNode = async (): Promise<void> => {
		await this.part(this.marks.closeNode).click();
		await this.nodeIsClosed();
	};

	/** Checks the fields, because n8n 1.123.81 keeps an empty dialog in the page. */
	readonly nodeIsClosed = async (): Promise<void> => {
		await this.part('node-parameters').waitFor({ state: 'detached' });
	};

	/** Labels of the node's visible fields, from top to bottom. */
	readonly fieldNames = async (): Promise<string[]> => {
		const labels = this.#parameters().locator('[data-test-id="input-label"] label[for]');
		const shown = await labels.filter({ visible: true }).allInnerTexts();
		return shown.map((text) => text.split('\n')[0]?.trim() ?? '').filter((text) => text !== '');
	};

	/** The selected option of a drop-down. */
	readonly chosen = async (parameter: string): Promise<string> =>
		await this.part(`parameter-input-${parameter}`).locator('input').first().inputValue();

	/** The options of a drop-down, which is left open. */
	readonly offers = async (parameter: string): Promise<string[]> => {
		await this.part(`parameter-input-${parameter}`).click();
		return await this.#listed();
	};

	/** The options below "Add Option", which is left open. */
	readonly optionsToAdd = async (): Promise<string[]> => {
		await this.#parameters().getByPlaceholder('Add Option').click();
		return await this.#listed();
	};

	/** Selects an option in a drop-down. */
	readonly choose = async (parameter: string, option: string): Promise<void> => {
		await this.part(`parameter-input-${parameter}`).click();
		const name = this.page.getByText(option, { exact: true });
		await this.#openList().filter({ has: name }).click();
		await this.#openList().first().waitFor({ state: 'hidden' });
	};

	readonly pressEscape = async (): Promise<void> => {
		await this.page.keyboard.press('Escape');
	};

	/** Closes n8n's notifications. */
	readonly closeNotes = async (): Promise<void> => {
		const notes = this.page.locator('.el-notification');
		for (const note of await notes.all()) await note.locator('.el-notification__closeBtn').click();
		await notes.first().waitFor({ state: 'detached' });
	};

	/**
	 * Takes a screenshot, for the docs if `npm run screenshots` runs this.
	 * @param height in CSS pixels; the whole window by default
	 */
	readonly picture = async (name: string, height?: number): Promise<void> => {
		const folder = process.env.SCREENSHOTS ?? join(cache, 'e2e', 'images', this.marks.version);
		const { width = 0 } = this.page.viewportSize() ?? {};
		const clip = height === undefined ? {} : { clip: { x: 0, y: 0, width, height } };
		await this.page.screenshot({ path: join(folder, name), animations: 'disabled', ...clip });
	};

	async close(): Promise<void> {
		await this.page.context().browser()?.close();
	}

	#parameters(): Locator {
		return this.part('node-parameters').first();
	}

	/** Names in the open drop-down. */
	async #listed(): Promise<string[]> {
		const items = this.#openList();
		await items.first().waitFor();
		return (await items.allInnerTexts()).map((text) => text.split('\n')[0]?.trim() ?? '');
	}

	#openList(): Locator {
		return this.page.locator('.el-select-dropdown__item').filter({ visible: true });
	}
}
