import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Without symbolic links: n8n compares real paths when it decides on file access. */
export const root = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));

/** Everything the scripts keep between runs; safe to delete. */
export const cache = join(root, '.cache');

/** Points this process and its children to temp and header folders inside the checkout. */
export function keepInside() {
	const temp = join(cache, 'tmp');
	mkdirSync(temp, { recursive: true });
	// os.tmpdir() reads TMPDIR on Linux and macOS, TEMP or TMP on Windows.
	Object.assign(process.env, { TMPDIR: temp, TEMP: temp, TMP: temp });
	// gulp's command line (v8flags 4) notes V8's options in ~/.cache.
	process.env.XDG_CACHE_HOME = cache;
	// node-gyp (under npm 10 and 11) would keep Node's headers in ~/.cache.
	process.env.npm_package_config_node_gyp_devdir = join(cache, 'node-gyp');
}
