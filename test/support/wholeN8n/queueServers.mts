import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import getPort from 'get-port';
import { postgresFolder } from '../../../scripts/host/debianPackages.mjs';
import { atEnd } from '../../../scripts/tools/ending.mjs';
import { PlainError } from '../../../scripts/tools/PlainError.mjs';
import { startGroup, stopGroup } from '../../../scripts/tools/processes.mjs';
import { run } from '../../../scripts/tools/run.mjs';
import { until } from './until.mjs';

/**
 * Starts Redis (Debian: redis-server) on a free loopback port, without storing anything on disk.
 */
export async function startRedis(folder: string) {
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
export async function listens(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	return await succeeds(once(socket, 'connect')).finally(() => socket.destroy());
}

export const user = 'n8n';

/**
 * Starts PostgreSQL (Debian: postgresql) on a free loopback port, with an empty database `postgres`
 * that trusts the user `n8n`. It refuses to run as root, so root runs it as the user that Debian's
 * package creates.
 */
export async function startPostgres(folder: string) {
	const bin = postgresFolder();
	if (bin === undefined) {
		throw new PlainError('There is no PostgreSQL. On Debian: apt-get install -y postgresql.');
	}
	const as = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
	mkdirSync(folder, { recursive: true });
	if (as.length > 0) chownSync(folder, Number(await run('id', ['-u', 'postgres'], cwd)), -1);
	const data = join(folder, 'data');
	const [initdb = '', ...initArgs] = [
		...as,
		join(bin, 'initdb'),
		`--pgdata=${data}`,
		`--username=${user}`,
		'--auth=trust',
		'--no-sync',
	];
	await run(initdb, initArgs, cwd);

	const port = await getPort({ host: '127.0.0.1' });
	const [postgres = '', ...args] = [
		...as,
		join(bin, 'postgres'),
		'-D',
		data,
		`--port=${port}`,
		'--listen_addresses=127.0.0.1',
		// No socket file, because PostgreSQL rejects paths of more than 107 characters.
		'--unix_socket_directories=',
		'--fsync=off',
	];
	const server = startGroup(postgres, args, { cwd: '/', stdio: 'ignore' });
	const stop = async () => await stopGroup(server, 10_000);
	atEnd(stop);
	const isReady = ['--host', '127.0.0.1', '--port', String(port), '--quiet'];
	const answers = () => succeeds(run(join(bin, 'pg_isready'), isReady, cwd));
	await until('PostgreSQL answers', answers, 60);
	return { port, stop };
}

const cwd = { cwd: '/' };

async function succeeds(task: Promise<unknown>): Promise<boolean> {
	return await task.then(
		() => true,
		() => false,
	);
}
