import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean,
 *   bin?: Record<string, string>, dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Entry
 * @typedef {Record<string, Entry>} Packages by path, such as `node_modules/jest`; the folder's own has the path ''
 */

/**
 * The packages in a folder's lock file.
 * @param {string} folder
 * @param {readonly string[]} [names] leaves out all but these and what they need
 * @returns {Packages}
 */
export function lockedPackages(folder, names) {
	const all = readLock(join(folder, 'package-lock.json')) ?? {};
	if (!names) return all;
	const paths = new Set(names.map((name) => `node_modules/${name}`));
	for (const path of paths) {
		const { dependencies, optionalDependencies } = all[path] ?? {};
		for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
			const found = placesFor(name, path).find((place) => place in all);
			if (found) paths.add(found);
		}
	}
	return Object.fromEntries([...paths].map((path) => [path, all[path] ?? {}]));
}

/** Where Node looks for a package required by another, nearest first. @param {string} name @param {string} from */
function placesFor(name, from) {
	const parents = from.split('/node_modules/');
	const above = parents.map((_, index) => parents.slice(0, index + 1).join('/node_modules/'));
	return [...above.map((path) => `${path}/node_modules/${name}`).reverse(), `node_modules/${name}`];
}

/**
 * Whether `node_modules` has the locked packages, according to the list that npm writes there at the
 * end of an install.
 * @param {string} folder
 * @param {readonly string[]} [names] as for `lockedPackages`
 */
export function isInstalled(folder, names) {
	const present = readLock(join(folder, 'node_modules', '.package-lock.json'));
	if (!present) return false;
	return Object.entries(lockedPackages(folder, names)).every(([path, entry]) => {
		if (path === '') return true;
		const installed = present[path];
		// The lock file also lists builds for other platforms, which are not installed.
		if (!installed) return Boolean(entry.optional ?? entry.devOptional);
		return installed.version === entry.version && installed.integrity === entry.integrity;
	});
}

/** @param {string} file @returns {Packages | undefined} */
function readLock(file) {
	try {
		/** @type {unknown} */
		const lock = JSON.parse(readFileSync(file, 'utf8'));
		return /** @type {{ packages: Packages }} */ (lock).packages;
	} catch {
		return undefined;
	}
}
