import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/checkout.mjs';

interface Workflow {
	id: string;
	name: string;
	nodes: { name: string; type: string }[];
}

/** The workflow that `npm start` runs, as it ships. */
export const mainExample = JSON.parse(
	readFileSync(join(root, 'examples', 'generate-edit-remove-background.json'), 'utf8'),
) as Workflow;

/** The name of its manual trigger. */
export const mainTrigger = 'Start';
