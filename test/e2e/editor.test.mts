import { after, before, describe } from 'node:test';
import { credentialDialogCases } from './cases/editor/credentialDialog.mjs';
import { fieldCases } from './cases/editor/fields.mjs';
import { panelCases } from './cases/editor/panel.mjs';
import { runCases } from './cases/editor/run.mjs';
import { stopErrorCases } from './cases/editor/stopError.mjs';
import { Editor } from './support/Editor.mjs';
import { editorMarks } from './support/editorMarks.mjs';
import { useFixture } from './support/fixture.mjs';

/** Screenshots for the docs show the newer version. */
const hostNames =
	process.env.SCREENSHOTS === undefined ? (['n8n-2', 'n8n-1'] as const) : (['n8n-2'] as const);

for (const hostName of hostNames) {
	const marks = editorMarks[hostName];

	describe(`The editor of n8n ${marks.version} in Chromium`, () => {
		const fixture = useFixture({ hostName, name: `editor-${hostName}` });
		let opened: Editor | undefined;
		before(async () => {
			opened = await Editor.open(fixture.n8n.url, marks);
		});
		after(async () => await opened?.close());
		const editor = () => {
			if (opened === undefined) throw new Error('The editor is not open yet');
			return opened;
		};

		panelCases(fixture, editor);
		fieldCases(fixture, editor);
		runCases(fixture, editor);
		stopErrorCases(fixture, editor);
		credentialDialogCases(fixture, editor);
	});
}
