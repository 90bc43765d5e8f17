import { after, before } from 'node:test';
import { Editor } from './Editor.mjs';
import type { EditorMarks } from './editorMarks.mjs';
import type { Fixture } from './fixture.mjs';

/** Opens the fixture's editor before the surrounding tests and closes it after them. */
export function useEditor(fixture: Fixture, marks: EditorMarks): () => Editor {
	let opened: Editor | undefined;
	before(async () => {
		opened = await Editor.open(fixture.n8n.url, marks);
	});
	after(async () => await opened?.close());
	return () => {
		if (opened === undefined) throw new Error('The editor is not open yet');
		return opened;
	};
}
