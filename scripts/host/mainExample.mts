import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/checkout.mjs';

interface Workflow {
	file: string;
	id: string;
	name: string;
	nodes: { name: string; type: string }[];
}

const folder = join(root, 'examples');
const mainFile = 'generate-edit-remove-background.json';

/** The workflow that `npm start` runs. */
export const mainExample = readWorkflow(mainFile);

/** Name of its manual trigger. */
export const mainTrigger = 'Start';

/** All other examples. */
export const otherExamples = readdirSync(folder)
	.filter((file) => file.endsWith('.json') && file !== mainFile)
	.map(readWorkflow);

function readWorkflow(file: string): Workflow {
	const workflow = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
	return { ...workflow, file };
}
