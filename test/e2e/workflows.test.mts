import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { agentCases } from './cases/agent.mjs';
import { binaryModeCases } from './cases/binaryMode.mjs';
import { credentialRequestCase, editedCredentialCase } from './cases/credential.mjs';
import { folderCase } from './cases/folder.mjs';
import { mcpCases } from './cases/mcp.mjs';
import { previewAgentCases } from './cases/previewAgent.mjs';
import { subWorkflowCase } from './cases/subWorkflow.mjs';
import { useFixture } from './support/fixture.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`Workflows in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `workflows-${hostName}` });
		subWorkflowCase(fixture);
		binaryModeCases(fixture, hostName, hostName === 'n8n-2' ? 'filesystem' : 'memory');
		folderCase(fixture);
		agentCases(fixture);
		credentialRequestCase(fixture);
		// n8n 1 has no Agents, and an edited credential was the same in both (2.41.1 and 1.123.81).
		if (hostName === 'n8n-1') return;
		previewAgentCases(fixture);
		mcpCases(fixture);
		editedCredentialCase(fixture);
	});
}
