import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} Entry
 * @typedef {{ packages: Record<string, Entry> }} Lock
 */

/**
 * Whether `node_modules` matches the lock file, according to the list that npm writes there at the
 * end of an install.
 * @param {string} folder
 */
export function isInstalled(folder) {
	const wanted = readLock(join(folder, 'package-lock.json'));
	const present = readLock(join(folder, 'node_modules', '.package-lock.json'));
	if (!wanted || !present) return false;
	return Object.entries(wanted.packages).every(([path, entry]) => {
		if (path === '') return true;
		const installed = present.packages[path];
		// The lock file also lists builds for other platforms, which are not installed.
		if (!installed) return Boolean(entry.optional ?? entry.devOptional);
		return installed.version === entry.version && installed.integrity === entry.integrity;
	});
}

/** @param {string} file @returns {Lock | undefined} */
function readLock(file) {
	try {
		/** @type {unknown} */
		const lock = JSON.parse(readFileSync(file, 'utf8'));
		return /** @type {Lock} */ (lock);
	} catch {
		return undefined;
	}
}
