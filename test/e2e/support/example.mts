import { mainExample } from '../../../scripts/host/mainExample.mjs';
import type { Fixture } from './fixture.mjs';
import type { WorkflowBody } from './workflow.mjs';

/** The example workflow as it ships, with the fixture's folder and credential in it. */
export function example(fixture: Fixture): WorkflowBody {
	const text = JSON.stringify({ ...mainExample, id: undefined }).replace(
		'"value":"output"',
		`"value":${JSON.stringify(fixture.files)}`,
	);
	const body = JSON.parse(text) as WorkflowBody;
	for (const node of body.nodes) {
		if (node.credentials !== undefined) node.credentials = fixture.credentials;
	}
	return body;
}
