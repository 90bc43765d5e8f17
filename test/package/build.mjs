import { execFileSync } from 'node:child_process';
import { root } from '../../scripts/tools/checkout.mjs';

/** Builds the package before its tests run, so that they never test an old build. */
export default function build() {
	// npm is a .cmd on Windows, which only a shell can start.
	const shell = process.platform === 'win32';
	const build = ['run', '--silent', 'build', '--', '--silent'];
	execFileSync('npm', build, { cwd: root, shell, stdio: 'inherit' });
}
