import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { agentCases } from './cases/agent.mjs';
import type { Layout } from './cases/binaryMode.mjs';
import { credentialEditCases } from './cases/credentialEdit.mjs';
import { errorOutputCases } from './cases/errorOutput.mjs';
import { folderCases } from './cases/folder.mjs';
import { formTriggerCases } from './cases/formTrigger.mjs';
import { httpRequestCases } from './cases/httpRequest.mjs';
import { keyOriginCases } from './cases/keyOrigin.mjs';
import { loopCases } from './cases/loop.mjs';
import { severalFilesCases } from './cases/severalFiles.mjs';
import { subWorkflowCases } from './cases/subWorkflow.mjs';
import { webhookCases } from './cases/webhook.mjs';
import { useFixture, type Fixture } from './support/fixture.mjs';

/**
 * Tests for every supported n8n.
 * @param layouts the binary modes of workflows that this version knows
 * @param more tests for this version only
 */
export function core(
	hostName: string,
	layouts: readonly Layout[],
	...more: ((fixture: Fixture) => void)[]
): void {
	describe(`n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: hostName });
		webhookCases(fixture);
		formTriggerCases(fixture);
		severalFilesCases(fixture, layouts);
		folderCases(fixture);
		subWorkflowCases(fixture);
		loopCases(fixture);
		errorOutputCases(fixture);
		agentCases(fixture);
		credentialEditCases(fixture);
		httpRequestCases(fixture);
		keyOriginCases(fixture);
		for (const cases of more) cases(fixture);
	});
}
