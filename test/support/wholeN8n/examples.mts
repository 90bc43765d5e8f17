import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/tools/checkout.mjs';
import type { Fixture } from './fixture.mjs';
import type { WorkflowBody } from './workflow.mjs';

/** An example as it ships, with the fixture's credential and output folder. */
export function shipped(fixture: Fixture, file: string): WorkflowBody {
	const folder = JSON.stringify(fixture.files);
	const text = readFileSync(join(root, 'examples', file), 'utf8')
		.replace(
			/("name": "outputFolder",\s+"type": "string",\s+"value": )"output"/,
			(_, start: string) => start + folder,
		)
		.replace('"=output/', () => `"=${folder.slice(1, -1)}/`);
	const body = JSON.parse(text) as WorkflowBody & { id?: string };
	// n8n assigns its own id.
	delete body.id;
	for (const node of body.nodes) {
		if (node.credentials !== undefined) node.credentials = fixture.credentials;
	}
	return body;
}
