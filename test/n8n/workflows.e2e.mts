import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { credentialRequestCase } from '../promises/key/credential.cases.mjs';
import { noPurchaseLogCase } from '../promises/never-lost/purchaseLog.cases.mjs';
import { useFixture } from '../support/wholeN8n/fixture.mjs';
import { agentCases } from './agents.cases.mjs';
import { binaryModeCases } from './binaryMode.cases.mjs';
import { folderCase } from './folder.cases.mjs';
import { mcpCases } from './mcp.cases.mjs';
import { previewAgentCases } from './previewAgent.cases.mjs';
import { retryCases } from './retry.cases.mjs';
import { subWorkflowCase } from './subWorkflow.cases.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`Workflows in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `workflows-${hostName}` });
		subWorkflowCase(fixture);
		agentCases(fixture, hostName);
		credentialRequestCase(fixture);
		retryCases(fixture, hostName);
		// n8n 1 has no Agents, and a schedule over a folder was the same in both (2.41.1 and 1.123.81).
		if (hostName === 'n8n-1') {
			binaryModeCases(fixture, 'memory');
			noPurchaseLogCase(fixture);
			return;
		}
		binaryModeCases(fixture, 'filesystem', ['separate', 'combined']);
		folderCase(fixture);
		previewAgentCases(fixture);
		mcpCases(fixture);
	});
}
