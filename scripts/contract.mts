import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { publicShape } from '../test/package/publicShape.js';
import { root } from './tools/checkout.mjs';

const file = join(root, 'test', 'package', 'contract.json');

/** `npm run contract`: writes down what saved workflows depend on (docs/development/versioning.md). */
export async function main(): Promise<void> {
	const style = await resolveConfig(file, { editorconfig: true });
	writeFileSync(file, await format(publicShape(root), { ...style, filepath: file }));
	console.log(`Wrote ${file}. The git diff shows what changed.`);
}
