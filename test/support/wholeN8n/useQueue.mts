import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import getPort from 'get-port';
import type { Place } from '../../../scripts/host/environment.mjs';
import type { Host } from '../../../scripts/host/installHost.mjs';
import { startN8n, type N8nProcess } from '../../../scripts/host/startN8n.mjs';
import { cache } from '../../../scripts/tools/checkout.mjs';
import { useFixture } from './fixture.mjs';
import { startPostgres, startRedis, user } from './queueServers.mjs';
import { installPacked } from './testedN8n.mjs';

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
		// By default, n8n 1.123.81 runs a killed worker's executions again (docs/scaling.md).
		const more = isOld ? { QUEUE_WORKER_MAX_STALLED_COUNT: '0' } : {};
		const place = { folder, fileAccess: [], settings: { ...settings, ...more } };
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
