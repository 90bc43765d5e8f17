import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A package, or the folder's own entry, in a lock file.
 *
 * @typedef {object} Entry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {Record<string, string>} [bin]
 * @property {Record<string, string>} [devDependencies]
 */

/** @typedef {Record<string, Entry>} Packages by path, such as `node_modules/jest`; the folder's own has the path '' */

/** The packages in a folder's lock file. @param {string} folder @returns {Packages} */
export function lockedPackages(folder) {
	return readLock(join(folder, 'package-lock.json')) ?? {};
}

/**
 * Whether `node_modules` has the locked packages, according to the list that npm writes there at the
 * end of an install.
 * @param {string} folder
 */
export function isInstalled(folder) {
	const present = readLock(join(folder, 'node_modules', '.package-lock.json'));
	if (!present) return false;
	return Object.entries(lockedPackages(folder)).every(([path, entry]) => {
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
