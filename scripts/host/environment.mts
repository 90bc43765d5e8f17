import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { cache } from '../tools/checkout.mjs';
import type { Host } from './installHost.mjs';

/** The only variables that n8n inherits. Others, such as DB_TYPE or N8N_…, would configure it. */
const passedOn = ['HOME', 'LANG', 'LC_ALL', 'SystemRoot', 'TZ', 'USERPROFILE'];

/** Where an n8n stores its data, and which files it can use. */
export interface Place {
	/** Becomes N8N_USER_FOLDER, in which n8n creates `.n8n`. */
	folder: string;
	/** Folders that file nodes can read and write. By default n8n 2 allows only ~/.n8n-files. */
	fileAccess: readonly string[];
	/** More settings, as environment variables. */
	settings?: Readonly<Record<string, string>>;
}

/** The environment for an n8n that sends nothing to the internet (names as of n8n 2.41.1). */
export function environment(host: Host, place: Place): NodeJS.ProcessEnv {
	const machine = passedOn.flatMap((name) => {
		const value = process.env[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	const temp = temporary(place);
	return {
		...Object.fromEntries(machine),
		// n8n's task runner starts `node` from the PATH; it must be the same Node.
		PATH: `${dirname(host.node)}${delimiter}${process.env.PATH ?? ''}`,
		TMPDIR: temp,
		TEMP: temp,
		TMP: temp,
		N8N_USER_FOLDER: place.folder,
		N8N_RESTRICT_FILE_ACCESS_TO: place.fileAccess.join(';'),
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_LOG_LEVEL: 'info',
		// So that the node's hints have the same time as the browser. n8n's own default is New York.
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		// Keeps what Node compiles between starts. Node 20 ignores it.
		NODE_COMPILE_CACHE: join(cache, 'compiled'),
		...quiet,
		N8N_DISABLED_MODULES: disabledModules(host),
		...place.settings,
	};
}

/**
 * mcp-registry fetches a list from api.n8n.io at every start, and with instance-ai the front page is
 * "n8n Assistant (Preview)" instead of the workflows (2.41.1). n8n refuses names of modules that it does not have.
 */
function disabledModules({ n8n }: Host): string {
	const modules = join(dirname(n8n), '..', 'dist', 'modules');
	const names = ['instance-ai', 'mcp-registry'];
	return names.filter((name) => existsSync(join(modules, name))).join(',');
}

/** n8n's temporary folder. n8n leaves an empty folder in it at each start. */
export function temporary(place: Place): string {
	return join(place.folder, 'tmp');
}

/** Turns off what would send requests to the internet or cover the editor. */
const quiet = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_AI_ENABLED: 'false',
} as const;
