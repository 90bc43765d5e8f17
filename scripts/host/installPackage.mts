import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../tools/npm.mjs';
import type { Place } from './environment.mjs';

/** Installs the tarball as a community package, unless the same tarball is already installed. */
export async function installPackage(place: Place, tarball: string): Promise<void> {
	const { folder, modules, installed, mark } = paths(place);
	const sum = createHash('sha256').update(readFileSync(tarball)).digest('hex');
	if (existsSync(installed) && existsSync(mark) && readFileSync(mark, 'utf8') === sum) return;
	mkdirSync(folder, { recursive: true });
	const manifest = join(folder, 'package.json');
	if (!existsSync(manifest)) {
		writeFileSync(manifest, JSON.stringify({ name: 'installed-nodes', private: true }));
	}
	// npm does not replace a package of the same version, so remove the old one first.
	rmSync(installed, { recursive: true, force: true });
	rmSync(join(modules, '.package-lock.json'), { force: true });
	await npm(['install', tarball, '--ignore-scripts', '--legacy-peer-deps', '--no-package-lock'], {
		cwd: folder,
	});
	writeFileSync(mark, sum);
}

/** The folder of the installed package, to change files in it. The next start installs it again. */
export function openInstalled(place: Place): string {
	const { installed, mark } = paths(place);
	rmSync(mark, { force: true });
	return installed;
}

function paths(place: Place) {
	const folder = join(place.folder, '.n8n', 'nodes');
	const modules = join(folder, 'node_modules');
	return {
		folder,
		modules,
		installed: join(modules, 'n8n-nodes-image-generation'),
		/** A file with the hash of the installed tarball. */
		mark: join(modules, '.installed-tarball'),
	};
}
