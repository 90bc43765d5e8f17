import type { IExecuteFunctions } from 'n8n-workflow';

import { execute } from '../../nodes/ImageGeneration/execute';
import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import { N8nProcess } from '../../nodes/ImageGeneration/run/n8nProcess';

let current = new N8nProcess();

/** The n8n process that runs the node in a test's engine. */
export const processNow = (): N8nProcess => current;

/** Forgets all purchases, as n8n does when it restarts: another process runs the node from now on. */
export function forgetPurchases(): void {
	current = new N8nProcess();
}

/** The node in an n8n process: by default the one that runs at the moment. */
export function nodeIn(process?: N8nProcess): ImageGeneration {
	const node = new ImageGeneration();
	node.execute = async function (this: IExecuteFunctions) {
		return await execute(this, process ?? current);
	};
	return node;
}
