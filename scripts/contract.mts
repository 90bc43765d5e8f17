import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { format, resolveConfig } from 'prettier';
import { breakingChanges } from '../test/package/breakingChanges.js';
import { publicShape } from '../test/package/publicShape.js';
import { root } from './tools/checkout.mjs';
import { PlainError } from './tools/PlainError.mjs';

const file = join(root, 'test', 'package', 'contract.json');

/** `npm run contract`: accepts a change to what saved workflows depend on (docs/development/versioning.md). */
export async function main(args: string[]): Promise<void> {
	const { breaking = false } = new Command('npm run contract --')
		.description('Writes the names that saved workflows depend on to test/package/contract.json.')
		.option(
			'--breaking',
			'accept changes that break saved workflows (see docs/development/versioning.md)',
		)
		.parse(args, { from: 'user' })
		.opts<{ breaking?: boolean }>();

	const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
	const after: unknown = JSON.parse(JSON.stringify(publicShape(root)));
	const lost = breakingChanges(before, after);
	const added = breakingChanges(after, before);
	print('Removed or changed (may break saved workflows)', lost);
	print('Added', added);
	if (lost.length > 0 && !breaking) {
		throw new PlainError(
			'Nothing was written, because this may break saved workflows. See docs/development/versioning.md. ' +
				'To accept the change: npm run contract -- --breaking',
		);
	}
	const style = await resolveConfig(file, { editorconfig: true });
	writeFileSync(file, await format(JSON.stringify(after), { ...style, filepath: file }));
	console.log(lost.length + added.length === 0 ? 'Nothing has changed.' : `Wrote ${file}`);
}

function print(title: string, promises: string[]): void {
	if (promises.length > 0) console.log(`${title}:\n${promises.map((p) => `  ${p}`).join('\n')}\n`);
}
