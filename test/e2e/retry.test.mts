import { describe } from 'node:test';
import { hintCases } from './cases/editor/hints.mjs';
import { retryClickCases } from './cases/editor/retryFromList.mjs';
import { stopButtonCases } from './cases/editor/stopButton.mjs';
import { retryFromListCases } from './cases/retryFromList.mjs';
import { stopCases } from './cases/stop.mjs';
import { editorMarks } from './support/editorMarks.mjs';
import { useFixture } from './support/fixture.mjs';
import { useEditor } from './support/useEditor.mjs';

for (const hostName of ['n8n-2', 'n8n-1'] as const) {
	const marks = editorMarks[hostName];

	describe(`Purchases in n8n ${marks.version}`, () => {
		const fixture = useFixture({ hostName, name: `retry-${hostName}` });
		const editor = useEditor(fixture, marks);

		stopCases(fixture, { savesCount: true });
		retryFromListCases(fixture);
		retryClickCases(fixture, editor);
		hintCases(fixture, editor);
		stopButtonCases(fixture, editor);
	});
}
