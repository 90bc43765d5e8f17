/**
 * `node scripts/install.mjs [folder …]` installs the packages of each folder's lock file, unless
 * they are installed. The default folder is the root. Scripts import `install(folder)`.
 */
import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNode } from './tools/checkNode.mjs';
import { keepInside, root } from './tools/checkout.mjs';
import { end, endWithParent } from './tools/ending.mjs';
import { isInstalled } from './tools/isInstalled.mjs';
import { canReachRegistry, npm } from './tools/npm.mjs';
import { PlainError } from './tools/PlainError.mjs';

/**
 * @param {string} folder contains package.json and package-lock.json
 * @returns {Promise<boolean>} whether anything was installed
 * @throws {PlainError}
 */
export async function install(folder) {
	if (isInstalled(folder)) return false;
	console.log(`Installing the packages of ${relative(root, folder) || 'the project'} …`);
	const started = Date.now();
	// Offline, npm may still find everything in its cache. If not, `--offline` fails at once, while
	// `--prefer-offline` retries every package for minutes (npm 11).
	const cacheOnly = !(await canReachRegistry(folder));
	await npm(['ci', cacheOnly ? '--offline' : '--prefer-offline'], { cwd: folder, tick: true });
	console.log(`  done in ${Math.round((Date.now() - started) / 1000)} s`);
	return true;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	try {
		checkNode();
		keepInside();
		endWithParent();
		const folders = process.argv.slice(2);
		for (const folder of folders.length > 0 ? folders : [root]) await install(resolve(folder));
	} catch (error) {
		console.error(error instanceof PlainError ? error.message : error);
		await end(1);
	}
}
