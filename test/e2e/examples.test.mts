import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { agentExampleCases } from './cases/examples/agent.mjs';
import { formExampleCases } from './cases/examples/form.mjs';
import { knownNodeCases } from './cases/examples/knownNodes.mjs';
import { manualCases } from './cases/examples/manual.mjs';
import { webhookExampleCases } from './cases/examples/webhook.mjs';
import { useFixture } from './support/fixture.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	void describe(`The examples in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `examples-${hostName}` });
		knownNodeCases(fixture);
		manualCases(fixture, hostName);
		webhookExampleCases(fixture);
		formExampleCases(fixture);
		agentExampleCases(fixture);
	});
}
