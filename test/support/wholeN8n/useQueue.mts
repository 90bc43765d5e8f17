import { chownSync, mkdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import getPort from 'get-port';
import { postgresFolder } from '../../../scripts/host/debianPackages.mjs';
import type { Place } from '../../../scripts/host/environment.mjs';
import type { Host } from '../../../scripts/host/installHost.mjs';
import { startN8n, type N8nProcess } from '../../../scripts/host/startN8n.mjs';
import { cache } from '../../../scripts/tools/checkout.mjs';
import { atEnd } from '../../../scripts/tools/ending.mjs';
import { PlainError } from '../../../scripts/tools/PlainError.mjs';
import { startGroup, stopGroup } from '../../../scripts/tools/processes.mjs';
import { run } from '../../../scripts/tools/run.mjs';
import { useFixture } from './fixture.mjs';
import { listens, succeeds } from './listen.mjs';
import { installPacked } from './testedN8n.mjs';
import { until } from './until.mjs';

const user = 'n8n';

/** A fixture whose n8n passes executions to workers. */
export type Queue = ReturnType<typeof useQueue>;

/** Starts Redis, PostgreSQL and n8n's main process, with files in the database. */
export function useQueue(hostName: string, name: string) {
	const isOld = hostName === 'n8n-1';
	const settings: Record<string, string> = {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: 'the-same-for-all',
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		// n8n 1.123.81 keeps files in memory without this setting.
		...(isOld && { N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database' }),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '60',
		// n8n then notices a dead worker within seconds instead of a minute and a half. With a lock of six
		// seconds, an execution that the other worker should repeat failed once on a busy machine (1.123.81).
		QUEUE_WORKER_LOCK_DURATION: '15000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
		QUEUE_WORKER_STALLED_INTERVAL: '3000',
	};
	const running = new Set<N8nProcess>();
	let started = 0;
	/** Stops or kills a worker. */
	const end = async (worker: N8nProcess, how: 'stop' | 'kill') => {
		running.delete(worker);
		await worker[how]();
	};
	const start = async () => {
		const folder = join(cache, 'e2e', name, 'workers', String(++started));
		const place = { folder, fileAccess: [], settings };
		await installPacked(place);
		running.add(await bootWorker(fixture.host, place));
	};
	/** Starts workers until this many run. Each has its own folder, like in a container. */
	const workers = async (count: number): Promise<N8nProcess[]> => {
		const missing = count - running.size;
		await Promise.all(Array.from({ length: missing }, start));
		return [...running];
	};
	after(async () => {
		await Promise.all([...running].map((worker) => end(worker, 'stop')));
	});
	const fixture = useFixture({
		hostName,
		name,
		prepare: async (folder, closers) => {
			for (const part of ['redis', 'postgres', 'workers']) {
				closers.push(() => rm(join(folder, part), { recursive: true, force: true }));
			}
			const redis = await startRedis(join(folder, 'redis'));
			closers.push(redis.stop);
			const postgres = await startPostgres(join(folder, 'postgres'));
			closers.push(postgres.stop);
			return Object.assign(settings, {
				QUEUE_BULL_REDIS_HOST: '127.0.0.1',
				QUEUE_BULL_REDIS_PORT: String(redis.port),
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: '127.0.0.1',
				DB_POSTGRESDB_PORT: String(postgres.port),
				DB_POSTGRESDB_DATABASE: 'postgres',
				DB_POSTGRESDB_USER: user,
			});
		},
	});
	return { fixture, workers, end };
}

/** Starts a worker and waits until it accepts executions. */
async function bootWorker(host: Host, place: Place): Promise<N8nProcess> {
	const port = await getPort({ host: '127.0.0.1' });
	return await startN8n(host, place, {
		args: ['worker', '--concurrency=5'],
		settings: {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		},
		isReady: async () => (await fetch(`http://127.0.0.1:${port}/healthz/readiness`)).ok,
		// A worker finishes the executions it has started.
		graceMs: 90_000,
	});
}

/** Ids of the executions that a worker has logged as started (n8n 2.41.1 and 1.123.81). */
export async function startedBy(worker: N8nProcess): Promise<Set<string>> {
	return await idsIn(worker, /Worker started execution (\d+)/g);
}

/** Ids of the jobs that the node has logged as paid in a worker. */
export async function paidIn(worker: N8nProcess): Promise<Set<string>> {
	return await idsIn(worker, /was bought: \S+ \(job ([^)]+)\)/g);
}

async function idsIn({ log }: N8nProcess, line: RegExp): Promise<Set<string>> {
	const text = await readFile(log, 'utf8');
	return new Set([...text.matchAll(line)].map(([, id = '']) => id));
}

/**
 * Starts Redis (Debian: redis-server) on a free loopback port, without storing anything on disk.
 */
async function startRedis(folder: string) {
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

/**
 * Starts PostgreSQL (Debian: postgresql) on a free loopback port, with an empty database `postgres`
 * that trusts the user `n8n`. It refuses to run as root, so root runs it as the user that Debian's
 * package creates.
 */
async function startPostgres(folder: string) {
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
