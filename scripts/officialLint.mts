import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hosts } from './tools/checkout.mjs';

const shipped = ['package.json', 'tsconfig.json', 'nodes', 'credentials', 'icons'];

/**
 * Runs `n8n-node lint` on a copy of what ships, with the `eslint.config.mjs` that the tool creates
 * for new packages; in strict mode it accepts no other. @returns whether it found nothing
 *
 * The copy is in scripts/hosts/verify because the tool looks for ESLint and its config in parent
 * folders.
 */
export function officialLint(root: string): boolean {
	const host = join(hosts, 'verify');
	const tool = join(host, 'node_modules/@n8n/node-cli');
	const eslint = join(host, 'node_modules/eslint/bin/eslint.js');
	const cache = join(host, '.cache');
	mkdirSync(cache, { recursive: true });
	const copy = mkdtempSync(join(cache, 'lint-'));
	try {
		for (const path of shipped) cpSync(join(root, path), join(copy, path), { recursive: true });
		const config = 'eslint.config.mjs';
		copyFileSync(join(tool, 'dist/template/templates/shared/default', config), join(copy, config));

		// The tool ignores warnings and allows comments that disable rules, so run ESLint itself too.
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
