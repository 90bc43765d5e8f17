import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import getPort from 'get-port';
import { atEnd } from '../../../scripts/tools/ending.mjs';
import { startGroup, stopGroup } from '../../../scripts/tools/processes.mjs';
import { until } from './until.mjs';

/** A server that runs during a test. */
export interface Server {
	port: number;
	stop: () => Promise<void>;
}

/**
 * Starts Redis (Debian: redis-server) on a free loopback port, without storing anything on disk.
 */
export async function startRedis(folder: string): Promise<Server> {
	mkdirSync(folder, { recursive: true });
	const port = await getPort({ host: '127.0.0.1' });
	const server = startGroup(
		'redis-server',
		['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
		{ stdio: 'ignore' },
	);
	const stop = async () => await stopGroup(server, 5000);
	atEnd(stop);
	await until('Redis listens', () => listens(port), 30);
	return { port, stop };
}

/** Whether something listens on a loopback port. */
async function listens(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
