import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { manualRunCases } from './cases/manualRuns.mjs';
import { retryFromListCase } from './cases/retryFromList.mjs';
import { stopCases } from './cases/stop.mjs';
import { useEditor } from './support/Editor.mjs';
import { useFixture } from './support/fixture.mjs';

for (const hostName of ['n8n-2', 'n8n-1'] as const) {
	describe(`Purchases in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `retry-${hostName}` });
		const editor = useEditor(fixture, hostName);
		stopCases(fixture);
		retryFromListCase(
			fixture,
			editor,
			hostName === 'n8n-2' ? 'Retry with currently saved workflow' : 'Retry with original workflow',
		);
		manualRunCases(fixture, editor);
	});
}
