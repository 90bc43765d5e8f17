import { readFile } from 'node:fs/promises';
import type { Place } from './environment.mjs';
import type { Host } from './installHost.mjs';
import { N8nSession, type Owner } from './N8nSession.mjs';
import { startN8n, type N8nProcess } from './startN8n.mjs';

/** The only user of each n8n. The password is no secret, because n8n listens on loopback only. */
export const owner: Owner = {
	email: 'you@example.com',
	password: 'Sandbox-2026',
	firstName: 'You',
	lastName: 'Example',
};

/** A running n8n. */
export interface N8n extends N8nProcess {
	/** `http://127.0.0.1:<port>`, without a trailing slash. */
	url: string;
	/** In which the owner is signed in. */
	session: N8nSession;
}

/** Starts n8n's server, waits until it is ready, and signs the owner in. Stops it when this process ends. */
export async function bootN8n(host: Host, place: Place, port: number): Promise<N8n> {
	const url = `http://127.0.0.1:${port}`;
	const server = await startN8n(host, place, {
		args: ['start'],
		settings: {
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_EDITOR_BASE_URL: url,
			N8N_SECURE_COOKIE: 'false',
		},
		// n8n answers earlier, but runs an execution that comes before this twice (1.123.81).
		isReady: async (log) => (await readFile(log, 'utf8')).includes('Editor is now accessible'),
	});
	return { url, session: await N8nSession.open(url, owner), ...server };
}
