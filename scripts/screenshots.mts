import { join } from 'node:path';
import { main as endToEnd } from './e2e.mjs';
import { root } from './tools/checkout.mjs';

/** `npm run screenshots`: the pictures of the docs, which the editor's tests take as they go. */
export async function main(): Promise<void> {
	process.env.SCREENSHOTS = join(root, 'docs', 'images');
	await endToEnd(['editor']);
}
