import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const shipped = ['package.json', 'tsconfig.json', 'nodes', 'credentials', 'icons'];

/**
 * Runs `n8n-node lint` on a copy of what ships, beside the `eslint.config.mjs` that the tool itself
 * gives to new packages; in strict mode it accepts no other.
 *
 * The copy lies inside hosts/verify because the tool looks for ESLint and its config upwards.
 */
export function officialLint(root: string): boolean {
	const host = join(root, 'hosts/verify');
	const tool = join(host, 'node_modules/@n8n/node-cli');
	const eslint = join(host, 'node_modules/eslint/bin/eslint.js');
	const cache = join(host, '.cache');
	mkdirSync(cache, { recursive: true });
	const copy = mkdtempSync(join(cache, 'lint-'));
	try {
		for (const path of shipped) cpSync(join(root, path), join(copy, path), { recursive: true });
		const config = 'eslint.config.mjs';
		copyFileSync(join(tool, 'dist/template/templates/shared/default', config), join(copy, config));

		// The tool overlooks warnings and obeys comments that switch rules off: the same once more.
		return (
			passes(copy, join(tool, 'bin/n8n-node.mjs'), 'lint') &&
			passes(copy, eslint, '.', '--max-warnings', '0', '--no-inline-config')
		);
	} finally {
		rmSync(copy, { recursive: true });
	}
}

function passes(folder: string, ...command: string[]): boolean {
	return spawnSync(process.execPath, command, { cwd: folder, stdio: 'inherit' }).status === 0;
}
