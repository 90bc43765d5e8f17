/**
 * Stands in for npm in `CLONE`, a copy of this checkout, which `CHECKOUT` names: `npm ci` hard-links
 * the locked packages from there, and takes back a `node_modules` of its root that a test has put aside.
 */
const { existsSync, linkSync, mkdirSync, readdirSync, readFileSync } = require('node:fs');
const { renameSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const { CHECKOUT = '', CLONE = '', ASIDE = '' } = process.env;
const folderOfClone = relative(CLONE, process.cwd());
const source = join(CHECKOUT, folderOfClone);
const list = 'node_modules/.package-lock.json';

/** @param {string} file @returns {Record<string, unknown>} */
function packagesIn(file) {
	/** @type {unknown} */
	const lock = JSON.parse(readFileSync(file, 'utf8'));
	return /** @type {{ packages: Record<string, unknown> }} */ (lock).packages;
}

/** Links a package without the packages inside it, which the lock file lists by themselves. @param {string} folder */
function link(folder) {
	mkdirSync(folder, { recursive: true });
	for (const entry of readdirSync(join(source, folder), { withFileTypes: true })) {
		const path = join(folder, entry.name);
		if (entry.isFile()) linkSync(join(source, path), path);
		else if (entry.isDirectory() && entry.name !== 'node_modules') link(path);
	}
}

if (process.argv[2] === 'ci') {
	rmSync('node_modules', { recursive: true, force: true });
	if (folderOfClone === '' && existsSync(ASIDE)) {
		renameSync(ASIDE, 'node_modules');
	} else {
		const present = packagesIn(join(source, list));
		const wanted = Object.keys(packagesIn('package-lock.json')).filter((path) => path in present);
		for (const path of wanted) link(path);
		const packages = Object.fromEntries(wanted.map((path) => [path, present[path]]));
		writeFileSync(list, JSON.stringify({ packages }));
	}
}
