import { after, before, describe } from 'node:test';
import { credentialDialogCases } from './cases/editor/credentialDialog.mjs';
import { fieldCases } from './cases/editor/fields.mjs';
import { panelCases } from './cases/editor/panel.mjs';
import { runCases } from './cases/editor/run.mjs';
import { stopErrorCases } from './cases/editor/stopError.mjs';
import { Editor } from './support/Editor.mjs';
import { hostVersion } from './support/hostVersion.mjs';
import { useHouse } from './support/house.mjs';

describe(`Editor of n8n ${hostVersion('n8n-2')} in Chromium`, () => {
	const house = useHouse({ hostName: 'n8n-2', name: 'editor' });
	let opened: Editor | undefined;
	before(async () => {
		opened = await Editor.open(house.n8n.url);
	});
	after(async () => await opened?.close());
	const editor = () => {
		if (opened === undefined) throw new Error('The editor is not open yet');
		return opened;
	};

	panelCases(house, editor);
	fieldCases(house, editor);
	runCases(house, editor);
	stopErrorCases(house, editor);
	credentialDialogCases(house, editor);
});
