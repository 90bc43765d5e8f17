import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../tools/npm.mjs';
import type { Place } from './environment.mjs';
import type { Tarball } from './packPackage.mjs';

/** Installs the tarball as a community package, unless the same tarball is already installed. */
export async function installPackage(place: Place, tarball: Tarball): Promise<void> {
	const folder = join(place.folder, '.n8n', 'nodes');
	const installed = join(folder, 'node_modules', tarball.name);
	const mark = join(folder, 'node_modules', '.installed-tarball');
	if (existsSync(installed) && existsSync(mark) && readFileSync(mark, 'utf8') === tarball.sha256) {
		return;
	}
	mkdirSync(folder, { recursive: true });
	const manifest = join(folder, 'package.json');
	if (!existsSync(manifest)) {
		writeFileSync(manifest, JSON.stringify({ name: 'installed-nodes', private: true }));
	}
	// npm does not replace a package of the same version, so remove the old one first.
	rmSync(installed, { recursive: true, force: true });
	rmSync(join(folder, 'node_modules', '.package-lock.json'), { force: true });
	await npm(
		['install', tarball.file, '--ignore-scripts', '--legacy-peer-deps', '--no-package-lock'],
		{ cwd: folder },
	);
	writeFileSync(mark, tarball.sha256);
}
