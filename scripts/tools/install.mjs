import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './checkout.mjs';
import { canReachRegistry, npm } from './npm.mjs';
import { isInstalled, lockedPackages } from './packages.mjs';
import { step } from './step.mjs';

/**
 * Installs the packages of a folder's lock file, unless they are installed.
 *
 * @param {string} folder contains package.json and package-lock.json
 * @param {string} what is installed, for people
 * @param {readonly string[]} [names] installs only these packages and what they need
 * @returns {Promise<void>}
 * @throws {PlainError}
 */
export async function install(folder, what, names) {
	if (isInstalled(folder, names)) return;
	await step(`Installing ${what}`, async () => {
		const from = names ? partOf(folder, names) : folder;
		// Offline, npm may still find everything in its cache. If not, `--offline` fails at once, while
		// `--prefer-offline` retries every package for minutes (npm 11).
		const network = (await canReachRegistry(from)) ? '--prefer-offline' : '--offline';
		await npm(['ci', '--include=dev', network], { cwd: from });
		if (from === folder) return;
		const modules = join(folder, 'node_modules');
		rmSync(modules, { recursive: true, force: true });
		renameSync(join(from, 'node_modules'), modules);
		rmSync(from, { recursive: true });
	});
}

/** Makes a folder whose lock file has only some packages. @param {string} folder @param {readonly string[]} names */
function partOf(folder, names) {
	const part = join(cache, 'part');
	rmSync(part, { recursive: true, force: true });
	mkdirSync(part, { recursive: true });
	copyFileSync(join(folder, '.npmrc'), join(part, '.npmrc'));
	const packages = lockedPackages(folder, names);
	const dependencies = Object.fromEntries(
		names.map((name) => [name, packages[`node_modules/${name}`]?.version]),
	);
	const manifest = { name: 'part', version: '0.0.0', private: true, dependencies };
	const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest, ...packages } };
	writeFileSync(join(part, 'package.json'), JSON.stringify(manifest));
	writeFileSync(join(part, 'package-lock.json'), JSON.stringify(lock));
	return part;
}
