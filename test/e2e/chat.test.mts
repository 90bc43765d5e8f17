import { after, before, describe } from 'node:test';
import { chatCases } from './cases/editor/chat.mjs';
import { Editor } from './support/Editor.mjs';
import { editorMarks } from './support/editorMarks.mjs';
import { useFixture } from './support/fixture.mjs';

for (const hostName of ['n8n-2', 'n8n-1'] as const) {
	const marks = editorMarks[hostName];

	describe(`Chat of n8n ${marks.version} in Chromium`, () => {
		const fixture = useFixture({ hostName, name: `chat-${hostName}` });
		let opened: Editor | undefined;
		before(async () => {
			opened = await Editor.open(fixture.n8n.url, marks);
		});
		after(async () => await opened?.close());
		const editor = () => {
			if (opened === undefined) throw new Error('The editor is not open yet');
			return opened;
		};

		chatCases(fixture, editor);
	});
}
