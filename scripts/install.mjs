/**
 * `node scripts/install.mjs [folder …]` installs what the lock files say, if it is not there yet.
 * Without a folder: the root. Quick when nothing is to do. As an import: `install(folder)`.
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
 * @param {string} folder holds package.json and package-lock.json
 * @returns {Promise<boolean>} whether there was anything to do
 * @throws {PlainError}
 */
export async function install(folder) {
	if (isInstalled(folder)) return false;
	console.log(`Installing the packages of ${relative(root, folder) || 'the project'} …`);
	const started = Date.now();
	// Without a network npm may still find everything in its cache; if not, it says so at once,
	// while with `--prefer-offline` npm 11 retries each of the packages for minutes.
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
