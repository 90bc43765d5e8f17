import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout, without symbolic links: n8n compares real paths for file access. */
export const root = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));

/** The sandbox, which has packages of its own. */
export const sandbox = join(root, 'sandbox');

/** Folders that pin an n8n, or tools, apart from the root's packages. */
export const hosts = join(root, 'scripts', 'hosts');

/** What the scripts keep between runs. Safe to delete. */
export const cache = join(root, '.cache');

/** Makes this process and its children use temp and cache folders inside the checkout. */
export function keepInside() {
	const temp = join(cache, 'tmp');
	mkdirSync(temp, { recursive: true });
	// os.tmpdir() reads TMPDIR on Linux and macOS, TEMP or TMP on Windows.
	Object.assign(process.env, { TMPDIR: temp, TEMP: temp, TMP: temp });
	// gulp's command line (v8flags 4) would store V8's options in ~/.cache.
	process.env.XDG_CACHE_HOME = cache;
	// node-gyp (npm 10 and 11) would store Node's headers in ~/.cache.
	process.env.npm_package_config_node_gyp_devdir = join(cache, 'node-gyp');
}
