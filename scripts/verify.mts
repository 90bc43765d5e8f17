import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { Command } from 'commander';
import { pack } from '../test/package/pack.js';
import { officialLint } from './officialLint.mjs';
import { hosts, root } from './tools/checkout.mjs';
import { install } from './tools/install.mjs';
import { PlainError } from './tools/PlainError.mjs';

/**
 * `npm run verify`: runs n8n's official tools on what ships. n8n Cloud accepts a package only if
 * they find nothing. The first run installs n8n's command-line tool (480 MB) in scripts/hosts/verify.
 */
export async function main(args: string[]): Promise<void> {
	new Command('npm run verify --')
		.description("Runs n8n's official linter and scanner on what ships.")
		.allowExcessArguments(false)
		.parse(args, { from: 'user' });
	await install(join(hosts, 'verify'), "n8n's command-line tool");
	if (!succeeds('npm', 'run', 'build')) throw new PlainError('The build failed.');
	const packed = pack(root);
	try {
		console.log("\nn8n's package scanner (@n8n/scan-community-package)");
		const sources = await scan('Sources', root, SOURCE_FILE_PATTERNS);
		const tarball = await scan('Tarball', packed.folder, ['**/*.js', '**/*.json']);

		console.log("\nn8n's linter with its default config (n8n-node lint)");
		const linted = officialLint(root);
		if (linted) console.log('No errors, no warnings');

		console.log('\nThe package as npm would publish it');
		const tested = succeeds('npx', 'jest', 'test/package');
		console.log(`Package: ${packed.files.length} files, ${packed.size} bytes compressed`);

		const passed = sources && tarball && linted && tested;
		if (!passed) throw new PlainError('Found issues. See above.');
		console.log('\nNo issues found.');
	} finally {
		packed.remove();
	}
}

/** Runs the official scanner and prints what it finds. @returns whether it found nothing */
async function scan(what: string, folder: string, patterns: string[]): Promise<boolean> {
	const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
	// The scanner also passes with the message "No files found to analyze".
	const clean = passed && message === '';
	console.log(clean ? `${what}: no issues` : `${what}: ${message}\n${details}`);
	return clean;
}

/** Runs a command. On Windows npm is a .cmd file, which only a shell can start. */
function succeeds(command: string, ...args: string[]): boolean {
	const shell = process.platform === 'win32';
	return spawnSync(command, args, { cwd: root, stdio: 'inherit', shell }).status === 0;
}
