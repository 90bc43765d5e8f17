import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/checkout.mjs';
import type { Place } from './environment.mjs';
import type { Host } from './installHost.mjs';
import { n8nCommand } from './n8nCommand.mjs';

/** The example workflows refer to the credential by this id and name. */
const credential = {
	id: 'imageGenerationApi',
	name: 'Image Generation API',
	type: 'imageGenerationApi',
};

/** Imports the credential and the workflows of `examples/`, overwriting changes made in n8n. */
export async function importExamples(
	host: Host,
	place: Place,
	api: { baseUrl: string; apiKey: string },
): Promise<void> {
	const folder = join(place.folder, 'import');
	mkdirSync(folder, { recursive: true });
	const file = join(folder, 'credentials.json');
	writeFileSync(file, JSON.stringify([{ ...credential, data: api }]));
	await n8nCommand(
		host,
		place,
		['import:credentials', `--input=${file}`],
		'Successfully imported 1 credential',
	);
	await n8nCommand(
		host,
		place,
		['import:workflow', '--separate', `--input=${join(root, 'examples')}`],
		'Successfully imported',
	);
}
