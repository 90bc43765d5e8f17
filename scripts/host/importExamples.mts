import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/checkout.mjs';
import { PlainError } from '../tools/PlainError.mjs';
import { run } from '../tools/run.mjs';
import { environment, temporary, type Place } from './environment.mjs';
import type { Host } from './installHost.mjs';

/** The example workflows refer to the credential by this id and name. */
const credential = {
	id: 'imageGenerationApi',
	name: 'Image Generation API',
	type: 'imageGenerationApi',
};

/**
 * Imports the credential and the workflows of `examples/`, overwriting changes made in n8n, which
 * must not be running.
 */
export async function importExamples(
	host: Host,
	place: Place,
	data: { baseUrl: string; apiKey: string },
): Promise<void> {
	mkdirSync(temporary(place), { recursive: true });
	const file = join(place.folder, 'credentials.json');
	writeFileSync(file, JSON.stringify([{ ...credential, data }]));
	for (const args of [
		['import:credentials', `--input=${file}`],
		['import:workflow', '--separate', `--input=${join(root, 'examples')}`],
	]) {
		const env = environment(host, place);
		const printed = await run(host.node, [host.n8n, ...args], { cwd: root, env });
		// n8n exits with 0 even if the command failed (2.40.3).
		if (!printed.includes('Successfully imported')) {
			throw new PlainError(`n8n ${args.join(' ')} failed:\n${printed.trim()}`);
		}
	}
}
