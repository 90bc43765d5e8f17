import { canReachRegistry, npm } from './npm.mjs';
import { isInstalled } from './packages.mjs';
import { step } from './step.mjs';

/**
 * Installs the packages of a folder's lock file, unless they are installed.
 *
 * @param {string} folder contains package.json and package-lock.json
 * @param {string} what is installed, for people
 * @returns {Promise<void>}
 * @throws {PlainError}
 */
export async function install(folder, what) {
	if (isInstalled(folder)) return;
	await step(`Installing ${what}`, async () => {
		// Offline, npm may still find everything in its cache. If not, `--offline` fails at once, while
		// `--prefer-offline` retries every package for minutes (npm 11).
		const network = (await canReachRegistry(folder)) ? '--prefer-offline' : '--offline';
		await npm(['ci', '--include=dev', network], { cwd: folder });
	});
}
