import { after, before, beforeEach, describe } from 'node:test';
import { openPage } from '../../scripts/host/openEditor.mjs';
import { accountCases } from './cases/sandboxPage/account.mjs';
import { callCases } from './cases/sandboxPage/calls.mjs';
import { faultCases } from './cases/sandboxPage/faults.mjs';
import { foreignTextCases } from './cases/sandboxPage/foreignText.mjs';
import { manyCallsCases } from './cases/sandboxPage/manyCalls.mjs';
import { useFixture } from './support/fixture.mjs';
import { SandboxPage } from './support/SandboxPage.mjs';

describe("The sandbox's page in Chromium", () => {
	const fixture = useFixture({ hostName: 'n8n-2', name: 'sandbox-page' });
	let opened: SandboxPage | undefined;
	const view = () => {
		if (opened === undefined) throw new Error('The page is not open yet');
		return opened;
	};
	before(async () => {
		// This page can reach only the sandbox, because it must work without internet access.
		opened = new SandboxPage(await openPage(fixture.sandbox.url), fixture.sandbox);
	});
	after(async () => await opened?.page.context().browser()?.close());
	beforeEach(async () => {
		await view().open();
	});

	callCases(fixture, view);
	faultCases(fixture, view);
	accountCases(view);
	foreignTextCases(view);
	manyCallsCases(view);
});
