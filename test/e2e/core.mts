import { describe } from 'node:test';
import { errorOutputCases } from './cases/errorOutput.mjs';
import { folderCases } from './cases/folder.mjs';
import { formTriggerCases } from './cases/formTrigger.mjs';
import { httpRequestCases } from './cases/httpRequest.mjs';
import { loopCases } from './cases/loop.mjs';
import { subWorkflowCases } from './cases/subWorkflow.mjs';
import { webhookCases } from './cases/webhook.mjs';
import { hostVersion } from './support/hostVersion.mjs';
import { useHouse, type House } from './support/house.mjs';

/**
 * What must hold on every n8n that the package supports.
 * @param more what is tried on this one only
 */
export function core(hostName: string, ...more: ((house: House) => void)[]): void {
	describe(`n8n ${hostVersion(hostName)}`, () => {
		const house = useHouse({ hostName, name: hostName });
		webhookCases(house);
		formTriggerCases(house);
		folderCases(house);
		subWorkflowCases(house);
		loopCases(house);
		errorOutputCases(house);
		httpRequestCases(house);
		for (const cases of more) cases(house);
	});
}
