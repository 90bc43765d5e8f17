import { mainExample } from '../../../scripts/host/mainExample.mjs';
import type { House } from './house.mjs';
import type { WorkflowBody } from './workflow.mjs';

/** The example workflow as it ships, with the house's folder and credential in it. */
export function example(house: House): WorkflowBody {
	const text = JSON.stringify({ ...mainExample, id: undefined }).replace(
		'"value":"output"',
		`"value":${JSON.stringify(house.files)}`,
	);
	const body = JSON.parse(text) as WorkflowBody;
	for (const node of body.nodes) {
		if (node.credentials !== undefined) node.credentials = house.credentials;
	}
	return body;
}
