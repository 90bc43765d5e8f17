import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/checkout.mjs';

const folder = join(root, 'examples');

/** The workflow that `npm start` runs, by its trigger "Start". */
export const mainExample = readWorkflow('generate-edit-remove-background.json');

/** All other examples. */
export const otherExamples = readdirSync(folder)
	.filter((file) => file.endsWith('.json') && file !== mainExample.file)
	.map(readWorkflow);

function readWorkflow(file: string): { file: string; id: string; name: string } {
	const workflow: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
	return { ...(workflow as { id: string; name: string }), file };
}
