import { describe } from 'node:test';
import { chatCases } from './cases/editor/chat.mjs';
import { untouchedCases } from './cases/editor/untouched.mjs';
import { editorMarks } from './support/editorMarks.mjs';
import { useFixture } from './support/fixture.mjs';
import { useEditor } from './support/useEditor.mjs';

for (const hostName of ['n8n-2', 'n8n-1'] as const) {
	const marks = editorMarks[hostName];

	describe(`Results in the editor of n8n ${marks.version}`, () => {
		const fixture = useFixture({ hostName, name: `results-${hostName}` });
		const editor = useEditor(fixture, marks);
		untouchedCases(fixture, editor);
		chatCases(fixture, editor);
	});
}
