import { execFileSync } from 'node:child_process';
import { root } from '../../scripts/tools/checkout.mjs';

/** Builds what ships before its tests, so that they never see an old build. */
export default function build() {
	// On Windows npm is a .cmd, which only a shell can start.
	const shell = process.platform === 'win32';
	execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, shell, stdio: 'inherit' });
}
