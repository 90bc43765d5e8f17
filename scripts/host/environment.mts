import { delimiter, dirname, join } from 'node:path';
import type { Host } from './installHost.mjs';

/** What n8n may know of the machine. Its own variables (DB_TYPE, N8N_…) must not leak in. */
const passedOn = ['HOME', 'LANG', 'LC_ALL', 'SystemRoot', 'TZ', 'USERPROFILE'];

/** Where an n8n of ours keeps its things and what it may touch. */
export interface Place {
	/** Becomes N8N_USER_FOLDER; n8n makes `.n8n` in it. */
	folder: string;
	/** Folders that file nodes may read and write; n8n 2 allows ~/.n8n-files only. */
	fileAccess: readonly string[];
	/** Further settings, by the names of their environment variables. */
	settings?: Readonly<Record<string, string>>;
}

/** Settings for an n8n that listens on loopback and calls nobody (names as of n8n 2.40.3). */
export function environment(host: Host, place: Place): NodeJS.ProcessEnv {
	const machine = passedOn.flatMap((name) => {
		const value = process.env[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	const temp = temporary(place);
	return {
		...Object.fromEntries(machine),
		// n8n's task runner starts `node`, which must be the same Node.
		PATH: `${dirname(host.node)}${delimiter}${process.env.PATH ?? ''}`,
		TMPDIR: temp,
		TEMP: temp,
		TMP: temp,
		N8N_USER_FOLDER: place.folder,
		N8N_RESTRICT_FILE_ACCESS_TO: place.fileAccess.join(';'),
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_LOG_LEVEL: 'info',
		...quiet,
		// Fetches its list from api.n8n.io at every start; n8n 1.123.81 refuses names it does not know.
		...(host.version.startsWith('2.') && { N8N_DISABLED_MODULES: 'mcp-registry' }),
		...place.settings,
	};
}

/** n8n leaves an empty folder in here at each start. */
export function temporary(place: Place): string {
	return join(place.folder, 'tmp');
}

/** Everything in n8n that would call out, or stand in front of the editor. */
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
