import { describe } from 'node:test';
import { errorOutputCases } from './cases/errorOutput.mjs';
import { folderCases } from './cases/folder.mjs';
import { formTriggerCases } from './cases/formTrigger.mjs';
import { httpRequestCases } from './cases/httpRequest.mjs';
import { loopCases } from './cases/loop.mjs';
import { subWorkflowCases } from './cases/subWorkflow.mjs';
import { webhookCases } from './cases/webhook.mjs';
import { useFixture, type Fixture } from './support/fixture.mjs';
import { hostVersion } from './support/hostVersion.mjs';

/**
 * Tests for every supported n8n.
 * @param more tests for this version only
 */
export function core(hostName: string, ...more: ((fixture: Fixture) => void)[]): void {
	describe(`n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: hostName });
		webhookCases(fixture);
		formTriggerCases(fixture);
		folderCases(fixture);
		subWorkflowCases(fixture);
		loopCases(fixture);
		errorOutputCases(fixture);
		httpRequestCases(fixture);
		for (const cases of more) cases(fixture);
	});
}
