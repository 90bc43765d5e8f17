import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openEditor } from '../../../scripts/host/openEditor.mjs';
import type { Execution } from './execution.mjs';
import type { Fixture } from './fixture.mjs';
import { until } from './until.mjs';
import type { WorkflowBody } from './workflow.mjs';

/** Differences between the editors of n8n 1 and 2, by folder in `scripts/hosts/`. */
const editorMarks = {
	'n8n-2': {
		/** Test id of the button that closes a node. */
		closeNode: 'ndv-close-button',
		/** Selector of a file's image. */
		shownImage: 'img[src*="binary-data"]',
		/** What the credential dialog does after a successful test. */
		onPassedTest: 'closes',
	},
	'n8n-1': {
		closeNode: 'back-to-canvas',
		shownImage: 'img[src^="data:image/jpeg;"], img[src^="data:image/png;"]',
		onPassedTest: 'stays open',
	},
} as const;
type EditorMarks = (typeof editorMarks)[keyof typeof editorMarks];

/** n8n's editor as users see it (2.41.1 and 1.123.81). */
export class Editor {
	constructor(
		readonly fixture: Fixture,
		readonly page: Page,
		readonly marks: EditorMarks,
	) {
		// On a busy machine, n8n's editor needs more than half a minute to open a workflow.
		page.setDefaultTimeout(90_000);
	}

	readonly part = (testId: string): Locator => this.page.locator(`[data-test-id="${testId}"]`);

	readonly node = (name: string): Locator =>
		this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

	/** Saves a workflow and opens it. @returns its id */
	readonly openWorkflow = async (body: WorkflowBody): Promise<string> => {
		const { api, n8n } = this.fixture;
		const id = await api.createWorkflow(body);
		await this.page.goto(`${n8n.url}/workflow/${id}`);
		await this.part('canvas-node').first().waitFor();
		return id;
	};

	/** Executes the open workflow and waits until it has succeeded. */
	readonly execute = async (): Promise<void> => {
		await this.part('execute-workflow-button').click();
		await this.page.getByText('Workflow executed successfully').waitFor();
		await this.closeNotes();
	};

	readonly openNode = async (name: string): Promise<void> => {
		await this.node(name).dblclick();
		await this.nodeIsOpen();
	};

	/** Opens a node in the list of executions (n8n 2 only). @returns its output panel */
	readonly openInList = async ({ workflowId, id }: Execution, name: string): Promise<Locator> => {
		await this.page.goto(`${this.fixture.n8n.url}/workflow/${workflowId}/executions/${id}`);
		await this.node(name).dblclick();
		return this.part('output-panel');
	};

	/** Opens the first file of a node's output, and waits until its image is shown. */
	readonly showImage = async (): Promise<void> => {
		const output = this.part('output-panel');
		await output.locator('[data-test-id="ndv-view-binary-data"]').first().click();
		await loadedWidth(output.locator(this.marks.shownImage));
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

	/** The options below "Add Option", which is left open. */
	readonly optionsToAdd = async (): Promise<string[]> => {
		await this.#parameters().getByPlaceholder('Add Option').click();
		const items = this.#openList();
		await items.first().waitFor();
		return (await items.allInnerTexts()).map((text) => text.split('\n')[0]?.trim() ?? '');
	};

	/** Selects an option in a drop-down. */
	readonly choose = async (parameter: string, option: string): Promise<void> => {
		const field = this.part(`parameter-input-${parameter}`);
		await field.click();
		const name = this.page.getByText(option, { exact: true });
		const choice = this.#openList().filter({ has: name });
		await choice.waitFor();
		// If the field loses the focus while its list is open, such as when n8n draws other fields after an
		// earlier choice, n8n opens the list again after this one, and it stays open (1.123.81).
		await field.locator('input').first().focus();
		await choice.click();
		await this.#openList().first().waitFor({ state: 'hidden' });
	};

	/** Closes n8n's notifications. */
	readonly closeNotes = async (): Promise<void> => {
		const notes = this.page.locator('.el-notification');
		for (const note of await notes.all()) await note.locator('.el-notification__closeBtn').click();
		await notes.first().waitFor({ state: 'detached' });
	};

	/**
	 * Takes a screenshot for the docs if `npm run screenshots` runs this.
	 * @param height in CSS pixels; the whole window by default
	 */
	readonly picture = async (name: string, height?: number): Promise<void> => {
		const folder = process.env.SCREENSHOTS;
		if (folder === undefined) return;
		const { width = 0 } = this.page.viewportSize() ?? {};
		const clip = height === undefined ? {} : { clip: { x: 0, y: 0, width, height } };
		await this.page.screenshot({ path: join(folder, name), animations: 'disabled', ...clip });
	};

	#parameters(): Locator {
		return this.part('node-parameters').first();
	}

	#openList(): Locator {
		return this.page.locator('.el-select-dropdown__item').filter({ visible: true });
	}
}

/** Opens the fixture's editor before the surrounding tests and closes it after them. */
export function useEditor(fixture: Fixture, hostName: keyof typeof editorMarks): () => Editor {
	let opened: Editor | undefined;
	before(async () => {
		const page = await openEditor(fixture.session);
		opened = new Editor(fixture, page, editorMarks[hostName]);
	});
	after(async () => await opened?.page.context().browser()?.close());
	return () => {
		if (opened === undefined) throw new Error('The editor is not open yet');
		return opened;
	};
}

/** The properties of an image element; this project has no browser types. */
interface Picture {
	complete: boolean;
	naturalWidth: number;
}

/** Waits until an image is loaded. @returns its width in pixels */
export async function loadedWidth(image: Locator): Promise<number> {
	let width = 0;
	await until('the image is loaded', async () => {
		width = await image.evaluate(({ complete, naturalWidth }: Picture) =>
			complete ? naturalWidth : 0,
		);
		return width > 0;
	});
	return width;
}
