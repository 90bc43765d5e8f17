import { describe } from 'node:test';
import { agentCases } from './cases/agent.mjs';
import { useFixture } from './support/fixture.mjs';
import { hostVersion } from './support/hostVersion.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`n8n ${hostVersion(hostName)}`, () => {
		agentCases(useFixture({ hostName, name: `agent-${hostName}` }));
	});
}
