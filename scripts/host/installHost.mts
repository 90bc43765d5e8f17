import { existsSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { install } from '../install.mjs';
import { hosts, root } from '../tools/checkout.mjs';
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

/** The packages of n8n 2.40.3 whose install scripts are needed here. */
const native = ['isolated-vm', 'sqlite3'];
const withScripts = '--ignore-scripts=false';

/**
 * Installs a folder of `scripts/hosts/` with its native modules, unless it is installed.
 *
 * @throws PlainError that says what to do
 */
export async function installHost(name: string): Promise<Host> {
	const folder = join(hosts, name);
	const modules = join(folder, 'node_modules');
	const node = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	await install(folder);
	// `npm ci` empties node_modules, so this file exists only if the current install was prepared.
	const mark = join(modules, '.native-parts-load');
	if (!existsSync(mark)) {
		await step(`Building the native modules of ${relative(root, folder)}`, async () => {
			await npm(['rebuild', 'node', withScripts], { cwd: folder, tick: true });
			await npm(['rebuild', ...native, withScripts], { cwd: folder, node, tick: true });
			await run(node, ['-e', native.map((part) => `require('${part}')`).join(';')], {
				cwd: folder,
			});
		});
		writeFileSync(mark, '');
	}
	return {
		folder,
		version: await installedVersion(join(modules, 'n8n')),
		node,
		n8n: join(modules, 'n8n', 'bin', 'n8n'),
	};
}

async function installedVersion(folder: string): Promise<string> {
	const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
		version: string;
	};
	return version;
}
