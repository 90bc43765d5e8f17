/**
 * `npm run verify`: n8n's own tools, untouched, on what ships. n8n Cloud takes a package only if
 * they find nothing. The first run installs n8n's command-line tool (480 MB) in hosts/verify.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pack } from '../test/package/pack.js';
import { install } from './install.mjs';
import { root } from './tools/checkout.mjs';
import { PlainError } from './tools/PlainError.mjs';
import { measureLoading } from './verify/measureLoading.mjs';
import { officialLint } from './verify/officialLint.mjs';
import { scan } from './verify/scan.mjs';

export async function main(): Promise<void> {
	await install(join(root, 'hosts/verify'));
	if (!succeeds('npm', 'run', 'build')) throw new PlainError('The build failed.');
	const packed = pack(root);
	try {
		step("n8n's package scanner (@n8n/scan-community-package)");
		const scanned = await scan(root, packed.folder);

		step("n8n's lint with its stock config (n8n-node lint)");
		const linted = officialLint(root);
		if (linted) console.log('No errors, no warnings');

		step('The package as npm would publish it');
		const tested = succeeds('npx', 'jest', 'test/package');
		console.log(`${packed.files.length} files, ${packed.size} bytes packed`);
		const { median, runs } = measureLoading(packed.folder);
		console.log(`The node loads in ${median.toFixed(1)} ms (median of ${runs} fresh processes)`);

		if (!scanned || !linted || !tested) throw new PlainError('There are findings, see above.');
		step('No findings.');
	} finally {
		packed.remove();
	}
}

function step(title: string): void {
	console.log(`\n${title}`);
}

/** On Windows npm is a .cmd, which only a shell can start. */
function succeeds(command: string, ...args: string[]): boolean {
	const shell = process.platform === 'win32';
	return spawnSync(command, args, { cwd: root, stdio: 'inherit', shell }).status === 0;
}
