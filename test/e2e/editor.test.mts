import { describe } from 'node:test';
import { credentialDialogCases } from './cases/editor/credentialDialog.mjs';
import { fieldCases } from './cases/editor/fields.mjs';
import { panelCases } from './cases/editor/panel.mjs';
import { purchaseTableCases } from './cases/editor/purchaseTable.mjs';
import { runCases } from './cases/editor/run.mjs';
import { stopErrorCases } from './cases/editor/stopError.mjs';
import { editorMarks } from './support/editorMarks.mjs';
import { useFixture } from './support/fixture.mjs';
import { useEditor } from './support/useEditor.mjs';

/** Screenshots for the docs show the newer version. */
const hostNames =
	process.env.SCREENSHOTS === undefined ? (['n8n-2', 'n8n-1'] as const) : (['n8n-2'] as const);

for (const hostName of hostNames) {
	const marks = editorMarks[hostName];

	describe(`The editor of n8n ${marks.version} in Chromium`, () => {
		const fixture = useFixture({ hostName, name: `editor-${hostName}` });
		const editor = useEditor(fixture, marks);

		panelCases(fixture, editor);
		fieldCases(fixture, editor);
		runCases(fixture, editor);
		stopErrorCases(fixture, editor);
		credentialDialogCases(fixture, editor);
		// n8n 1 lets no node make a table.
		if (hostName === 'n8n-2') purchaseTableCases(fixture, editor);
	});
}
