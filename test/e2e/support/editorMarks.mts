import { hostVersion } from '../../../scripts/host/installHost.mjs';

/** Differences between the editors of n8n 1 and 2. */
export interface EditorMarks {
	version: string;
	/** Test id of the button that closes a node. */
	closeNode: string;
	/** Where the list of executions shows an execution. */
	execution: 'page' | 'iframe';
	/** Selector of a file's image. */
	shownImage: string;
	/** What the credential dialog does after a successful test. */
	onPassedTest: 'closes' | 'stays open';
	/** What Escape closes in the credential dialog. */
	escapeCloses: 'dialog and node' | 'dialog';
}

/** By folder in `scripts/hosts/`. */
export const editorMarks = {
	'n8n-2': {
		version: hostVersion('n8n-2'),
		closeNode: 'ndv-close-button',
		execution: 'page',
		shownImage: 'img[src*="binary-data"]',
		onPassedTest: 'closes',
		escapeCloses: 'dialog and node',
	},
	'n8n-1': {
		version: hostVersion('n8n-1'),
		closeNode: 'back-to-canvas',
		execution: 'iframe',
		shownImage: 'img[src^="data:image/jpeg;"], img[src^="data:image/png;"]',
		onPassedTest: 'stays open',
		escapeCloses: 'dialog',
	},
} as const satisfies Record<string, EditorMarks>;
