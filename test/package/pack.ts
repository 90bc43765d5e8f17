import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Packed {
	/** In bytes, of the tarball. */
	size: number;
	/** The tarball, unpacked. */
	folder: string;
	/** Everything in it, sorted, with forward slashes. */
	files: string[];
	remove(): void;
}

/** Packs what `npm run build` left in the checkout's dist/, as `npm publish` would. */
export function pack(root: string): Packed {
	const cache = join(root, '.cache');
	mkdirSync(cache, { recursive: true });
	// n8n's loader names modules by their real paths.
	const work = realpathSync(mkdtempSync(join(cache, 'packed-')));
	// On Windows npm is a .cmd, which only a shell can start.
	const shell = process.platform === 'win32';
	execFileSync('npm', ['pack', '--silent', '--pack-destination', work], { cwd: root, shell });
	const [tarball = '', ...others] = readdirSync(work);
	if (!tarball.endsWith('.tgz') || others.length > 0) {
		throw new Error(`npm pack left ${[tarball, ...others].join(', ') || 'nothing'}`);
	}
	execFileSync('tar', ['-xzf', tarball], { cwd: work });
	const folder = join(work, 'package');
	return {
		size: statSync(join(work, tarball)).size,
		folder,
		files: filesIn(folder),
		remove: () => rmSync(work, { recursive: true }),
	};
}

/** All files below a folder, relative to it, sorted, with forward slashes. */
export function filesIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
		.map((path) => path.replaceAll('\\', '/'))
		.sort();
}
