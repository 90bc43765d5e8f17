import { once } from 'node:events';
import { cp, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import getPort from 'get-port';
import { bootN8n, type N8n } from '../../../scripts/host/bootN8n.mjs';
import type { Place } from '../../../scripts/host/environment.mjs';
import { installHost, type Host } from '../../../scripts/host/installHost.mjs';
import { N8nSession } from '../../../scripts/host/N8nSession.mjs';
import { cache, root } from '../../../scripts/tools/checkout.mjs';
import { atEnd } from '../../../scripts/tools/ending.mjs';
import { createApiKey } from './N8nApi.mjs';

/** A running n8n with the packed package, and an owner who is signed in. */
export interface TestedN8n {
	readonly host: Host;
	readonly n8n: Pick<N8n, 'url' | 'log'>;
	readonly session: N8nSession;
	readonly apiKey: string;
	/** A folder that file nodes may read and write. */
	readonly files: string;
	/** Stops or kills n8n, and starts it again with everything it has stored. */
	restart(end: 'stop' | 'kill'): Promise<void>;
}

export type Closer = () => Promise<void>;

/** Environment variable with the folder of an n8n in which the tarball is installed. */
export const INSTALLED = 'INSTALLED_PACKAGE';

/** Environment variable with the address at which test files ask for an n8n that they share. */
const ADDRESS = 'SHARED_N8N';

/** Installs the package that this run tests, as npm has installed it once. */
export async function installPacked({ folder }: Place): Promise<void> {
	const installed = process.env[INSTALLED];
	if (installed === undefined) throw new Error('Run these tests with: npm run test:e2e');
	await cp(join(installed, '.n8n'), join(folder, '.n8n'), { recursive: true });
}

/**
 * Starts an n8n.
 * @param name of its folder in `.cache/e2e`
 * @param closers stop it, called in reverse order
 * @param prepare starts what it needs, and returns its settings
 */
export async function ownN8n(
	hostName: string,
	name: string,
	closers: Closer[],
	prepare: (folder: string, closers: Closer[]) => Promise<Record<string, string>>,
): Promise<TestedN8n> {
	const folder = join(cache, 'e2e', name);
	await rm(folder, { recursive: true, force: true });
	const files = join(folder, 'files');
	await mkdir(files, { recursive: true });
	// n8n's log stays.
	for (const part of ['.n8n', 'files', 'tmp']) {
		closers.push(() => rm(join(folder, part), { recursive: true, force: true }));
	}
	// As in n8n 2. By default n8n 1.123.81 has one connection, and breaks off what meets: calls of two test
	// files, or a call and what it saves of an execution. Its log recommends more.
	const settings = { DB_SQLITE_POOL_SIZE: '3', ...(await prepare(folder, closers)) };
	const place: Place = { folder, fileAccess: [files, join(root, 'examples')], settings };
	const host = await installHost(hostName);
	await installPacked(place);
	const port = await getPort({ host: '127.0.0.1' });
	let running = await bootN8n(host, place, port);
	closers.push(async () => await running.stop());
	const restart: TestedN8n['restart'] = async (end) => {
		await running[end]();
		running = await bootN8n(host, place, port);
	};
	const { url, log, session } = running;
	const n8n = { url, log };
	const apiKey = await createApiKey(session);
	return { host, n8n, session, apiKey, files, restart };
}

/** The n8n that all test files of a run share. */
export async function sharedN8n(hostName: string): Promise<TestedN8n> {
	const answer = await fetch(`${process.env[ADDRESS]}/${hostName}`);
	if (!answer.ok) throw new Error(await answer.text());
	const n8n = (await answer.json()) as TestedN8n;
	const session = new N8nSession(n8n.session.url, n8n.session.cookie);
	const refuse = () => Promise.reject(new Error('Other test files use this n8n as well.'));
	return { ...n8n, session, restart: refuse };
}

/** Starts an n8n for each version that a test file asks for. All stop with this process. */
export async function shareN8n(): Promise<void> {
	const started = new Map<string, Promise<TestedN8n>>();
	const start = async (hostName: string) => {
		const closers: Closer[] = [];
		atEnd(async () => {
			for (const close of closers.reverse()) await close();
		});
		return await ownN8n(hostName, hostName, closers, () => Promise.resolve({}));
	};
	const server = createServer(({ url = '' }, response) => {
		const hostName = url.slice(1);
		const n8n = started.get(hostName) ?? start(hostName);
		started.set(hostName, n8n);
		n8n.then(
			(it) => response.end(JSON.stringify(it)),
			(error: unknown) => response.writeHead(500).end(String(error)),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	process.env[ADDRESS] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
