/**
 * Loads every file of n8n's own nodes and credentials in the current folder's n8n, and prints how
 * many there are and what is missing for those that don't load. Runs in that n8n's own Node.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const load = createRequire(join(process.cwd(), 'package.json'));
/** @type {string[]} */
const broken = [];
let loaded = 0;
for (const name of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
	const folder = join(process.cwd(), 'node_modules', name);
	/** @type {unknown} */
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const { n8n } = /** @type {{ n8n: { nodes: string[], credentials: string[] } }} */ (manifest);
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		try {
			load(join(folder, file));
			loaded++;
		} catch (error) {
			broken.push(`${file}: ${String(error).split('\n', 1)[0]}`);
		}
	}
}
console.log(JSON.stringify({ loaded, broken }));
// Some modules start timers when they are loaded.
process.exit(0);
