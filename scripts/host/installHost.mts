import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cache, hosts } from '../tools/checkout.mjs';
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

/** The packages of n8n 2.41.1 whose install scripts are needed here. Of these, npm compiles sqlite3. */
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
			await npm(['rebuild', 'isolated-vm', withScripts], { cwd: folder, node });
			await buildSqlite3(folder, node);
			const load = native.map((part) => `require('${part}')`).join(';');
			await run(node, ['-e', load], { cwd: folder });
		});
		writeFileSync(mark, '');
	}
	return { folder, version, node, n8n: join(modules, 'n8n', 'bin', 'n8n') };
}

/** Builds of sqlite3 in this process, by where they are kept. */
const builds = new Map<string, Promise<void>>();

/** Compiles sqlite3 once for all hosts that have the same version of it and of Node. */
async function buildSqlite3(folder: string, node: string): Promise<void> {
	const modules = join(folder, 'node_modules');
	const built = join(modules, 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	const name = `sqlite3-${versionIn(modules, 'sqlite3')}-node-${versionIn(modules, 'node')}.node`;
	const kept = join(cache, 'native', name);
	const build = async () => {
		if (existsSync(kept)) return;
		await npm(['rebuild', 'sqlite3', withScripts], { cwd: folder, node });
		mkdirSync(dirname(kept), { recursive: true });
		copyFileSync(built, kept);
	};
	const inProgress = builds.get(kept) ?? build();
	builds.set(kept, inProgress);
	await inProgress;
	mkdirSync(dirname(built), { recursive: true });
	copyFileSync(kept, built);
}

function versionIn(modules: string, name: string): string {
	const manifest: unknown = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
	return (manifest as { version: string }).version;
}
