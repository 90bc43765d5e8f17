import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hosts } from '../tools/checkout.mjs';
import { install } from '../tools/install.mjs';
import { npm } from '../tools/npm.mjs';
import { run } from '../tools/run.mjs';
import { step } from '../tools/step.mjs';

/** An installed n8n and the Node that runs it. */
export interface Host {
	folder: string;
	version: string;
	/** Path of the Node binary. */
	node: string;
	/** Path of n8n's entry script. */
	n8n: string;
}

/** The packages of n8n 2.41.1 whose install scripts are needed here. */
const native = ['isolated-vm', 'sqlite3'];
const withScripts = '--ignore-scripts=false';

/** The version of n8n that a folder of `scripts/hosts/` pins. */
export function hostVersion(name: string): string {
	const manifest: unknown = JSON.parse(readFileSync(join(hosts, name, 'package.json'), 'utf8'));
	return (manifest as { dependencies: { n8n: string } }).dependencies.n8n;
}

/**
 * Installs a folder of `scripts/hosts/` with its native modules, unless it is installed.
 *
 * @throws PlainError that says what to do
 */
export async function installHost(name: string): Promise<Host> {
	const folder = join(hosts, name);
	const version = hostVersion(name);
	const modules = join(folder, 'node_modules');
	const node = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	await install(folder, `n8n ${version}`);
	// `npm ci` empties node_modules, so this file exists only if the current install was prepared.
	const mark = join(modules, '.native-parts-load');
	if (!existsSync(mark)) {
		await step(`Building the native modules of n8n ${version}`, async () => {
			await npm(['rebuild', 'node', withScripts], { cwd: folder });
			await npm(['rebuild', ...native, withScripts], { cwd: folder, node });
			const load = native.map((part) => `require('${part}')`).join(';');
			await run(node, ['-e', load], { cwd: folder });
		});
		writeFileSync(mark, '');
	}
	return { folder, version, node, n8n: join(modules, 'n8n', 'bin', 'n8n') };
}
