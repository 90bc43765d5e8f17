import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { agentCases } from './cases/agent.mjs';
import { binaryModeCases } from './cases/binaryMode.mjs';
import { refusedFormCases } from './cases/combinedForm.mjs';
import { credentialEditCases, httpRequestCases } from './cases/credential.mjs';
import { errorOutputCases } from './cases/errorOutput.mjs';
import { folderCases } from './cases/folder.mjs';
import { loopCases } from './cases/loop.mjs';
import { severalFilesCases } from './cases/severalFiles.mjs';
import { webhookCases } from './cases/webhook.mjs';
import { useFixture } from './support/fixture.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`Workflows in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `workflows-${hostName}` });
		webhookCases(fixture);
		binaryModeCases(fixture, hostName, hostName === 'n8n-2' ? 'filesystem' : 'memory');
		severalFilesCases(fixture, hostName);
		folderCases(fixture);
		loopCases(fixture);
		errorOutputCases(fixture);
		agentCases(fixture);
		credentialEditCases(fixture);
		httpRequestCases(fixture);
		if (hostName === 'n8n-2') refusedFormCases(fixture);
	});
}
