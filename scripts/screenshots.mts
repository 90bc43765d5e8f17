import { join } from 'node:path';
import { main as endToEnd } from './e2e.mjs';
import { root } from './tools/checkout.mjs';

/** `npm run screenshots`: runs the editor's tests, which take the screenshots of the docs. */
export async function main(): Promise<void> {
	process.env.SCREENSHOTS = join(root, 'docs', 'images');
	await endToEnd(['editor']);
}
