import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { format, resolveConfig } from 'prettier';
import { breakingChanges } from '../test/package/breakingChanges.js';
import { publicShape } from '../test/package/publicShape.js';
import { root } from './tools/checkout.mjs';
import { PlainError } from './tools/PlainError.mjs';

const file = join(root, 'test', 'package', 'contract.json');

/** `npm run contract`: accepts a change of what saved workflows hang on (docs/versioning.md). */
export async function main(args: string[]): Promise<void> {
	const { breaking = false } = new Command('npm run contract --')
		.description('Writes the public shape of node and credential into test/package/contract.json.')
		.option('--breaking', 'even if saved workflows break: see docs/versioning.md')
		.parse(args, { from: 'user' })
		.opts<{ breaking?: boolean }>();

	const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
	const after: unknown = JSON.parse(JSON.stringify(publicShape(root)));
	const lost = breakingChanges(before, after);
	const added = breakingChanges(after, before);
	print('Gone or different; saved workflows may break', lost);
	print('New', added);
	if (lost.length > 0 && !breaking) {
		throw new PlainError(
			'Nothing was written. docs/versioning.md says when a new version of the node is due; ' +
				'`npm run contract -- --breaking` accepts the change.',
		);
	}
	const config = await resolveConfig(file);
	writeFileSync(file, await format(JSON.stringify(after), { ...config, filepath: file }));
	console.log(lost.length + added.length === 0 ? 'Nothing has changed.' : `Written: ${file}`);
}

function print(title: string, promises: string[]): void {
	if (promises.length > 0) console.log(`${title}:\n${promises.map((p) => `  ${p}`).join('\n')}\n`);
}
