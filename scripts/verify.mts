/**
 * `npm run verify`: runs n8n's official tools on what ships. n8n Cloud accepts a package only if
 * they find nothing. The first run installs n8n's command-line tool (480 MB) in scripts/hosts/verify.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import { pack } from '../test/package/pack.js';
import { hosts, root } from './tools/checkout.mjs';
import { install } from './tools/install.mjs';
import { PlainError } from './tools/PlainError.mjs';
import { officialLint } from './verify/officialLint.mjs';
import { scan } from './verify/scan.mjs';

export async function main(args: string[]): Promise<void> {
	new Command('npm run verify --')
		.description("Runs n8n's official linter and scanner on what ships.")
		.allowExcessArguments(false)
		.parse(args, { from: 'user' });
	await install(join(hosts, 'verify'), "n8n's command-line tool");
	if (!succeeds('npm', 'run', 'build')) throw new PlainError('The build failed.');
	const packed = pack(root);
	try {
		printStep("n8n's package scanner (@n8n/scan-community-package)");
		const scanned = await scan(root, packed.folder);

		printStep("n8n's linter with its default config (n8n-node lint)");
		const linted = officialLint(root);
		if (linted) console.log('No errors, no warnings');

		printStep('The package as npm would publish it');
		const tested = succeeds('npx', 'jest', 'test/package');
		console.log(`Package: ${packed.files.length} files, ${packed.size} bytes compressed`);

		if (!scanned || !linted || !tested) throw new PlainError('Found issues. See above.');
		printStep('No issues found.');
	} finally {
		packed.remove();
	}
}

function printStep(title: string): void {
	console.log(`\n${title}`);
}

/** Runs a command. On Windows npm is a .cmd file, which only a shell can start. */
function succeeds(command: string, ...args: string[]): boolean {
	const shell = process.platform === 'win32';
	return spawnSync(command, args, { cwd: root, stdio: 'inherit', shell }).status === 0;
}
