import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { manualRunCases } from './cases/manualRuns.mjs';
import { retryFromListCases } from './cases/retryFromList.mjs';
import { stopCases } from './cases/stop.mjs';
import { useEditor } from './support/Editor.mjs';
import { useFixture } from './support/fixture.mjs';

for (const hostName of ['n8n-2', 'n8n-1'] as const) {
	describe(`Purchases in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `retry-${hostName}` });
		const editor = useEditor(fixture, hostName);
		stopCases(fixture);
		retryFromListCases(fixture, editor);
		manualRunCases(fixture, editor);
	});
}
