import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type Packed = ReturnType<typeof pack>;

/** Packs the checkout's dist/ as `npm publish` would. */
export function pack(root: string) {
	const cache = join(root, '.cache');
	mkdirSync(cache, { recursive: true });
	// n8n's loader uses real paths.
	const work = realpathSync(mkdtempSync(join(cache, 'packed-')));
	// npm is a .cmd on Windows, which only a shell can start.
	const shell = process.platform === 'win32';
	execFileSync('npm', ['pack', '--silent', '--pack-destination', work], { cwd: root, shell });
	const [tarball = '', ...others] = readdirSync(work);
	if (!tarball.endsWith('.tgz') || others.length > 0) {
		throw new Error(`npm pack left ${[tarball, ...others].join(', ') || 'nothing'}`);
	}
	execFileSync('tar', ['-xzf', tarball], { cwd: work });
	const folder = join(work, 'package');
	return {
		/** Its path. */
		tarball: join(work, tarball),
		/** Size of the tarball, in bytes. */
		size: statSync(join(work, tarball)).size,
		/** The unpacked tarball. */
		folder,
		/** All of its files, sorted, with forward slashes. */
		files: filesIn(folder),
		remove: () => rmSync(work, { recursive: true }),
	};
}

/** All files in a folder, as sorted relative paths with forward slashes. */
export function filesIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
		.map((path) => path.replaceAll('\\', '/'))
		.sort();
}
