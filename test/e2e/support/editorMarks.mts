import { hostVersion } from './hostVersion.mjs';

/** Where the editors of two versions of n8n differ. */
export interface EditorMarks {
	version: string;
	/** What closes a node. */
	closeNode: string;
	/** Where the list of executions shows an execution. */
	execution: 'page' | 'iframe';
	/** How the image of a file is shown. */
	shownImage: string;
	/** What the credential's dialog does as soon as a test was passed. */
	onPassedTest: 'closes' | 'stays open';
	/** What Escape closes in the credential's dialog. */
	escapeCloses: 'dialog and node' | 'dialog';
}

/** By the folder of `hosts/`. */
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
