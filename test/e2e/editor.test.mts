import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { credentialDialogCases } from './cases/credentialDialog.mjs';
import { exampleInEditorCases } from './cases/exampleInEditor.mjs';
import { fieldCases } from './cases/fields.mjs';
import { panelCases } from './cases/panel.mjs';
import { purchaseTableCases } from './cases/purchaseTable.mjs';
import { stopErrorCases } from './cases/stopError.mjs';
import { useEditor } from './support/Editor.mjs';
import { useFixture } from './support/fixture.mjs';

/** Screenshots for the docs show the newer version. */
const hostNames =
	process.env.SCREENSHOTS === undefined ? (['n8n-2', 'n8n-1'] as const) : (['n8n-2'] as const);

for (const hostName of hostNames) {
	describe(`The editor of n8n ${hostVersion(hostName)} in Chromium`, () => {
		const fixture = useFixture({ hostName, name: `editor-${hostName}` });
		const editor = useEditor(fixture, hostName);
		panelCases(fixture, editor);
		fieldCases(fixture, editor);
		exampleInEditorCases(fixture, editor);
		stopErrorCases(fixture, editor);
		credentialDialogCases(fixture, editor);
		// n8n 1 lets no node make a table.
		if (hostName === 'n8n-2') purchaseTableCases(fixture, editor);
	});
}
