import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { N8nProcess } from '../../../scripts/host/startN8n.mjs';
import { cache } from '../../../scripts/tools/checkout.mjs';
import { batch } from './batch.mjs';
import { bootWorker } from './bootWorker.mjs';
import { useFixture, type Fixture } from './fixture.mjs';
import { pending, type Execution } from './N8nApi.mjs';
import { startPostgres, user } from './startPostgres.mjs';
import { startRedis } from './startRedis.mjs';
import { installPacked } from './testedN8n.mjs';
import { until } from './until.mjs';

/** A fixture whose n8n passes executions to workers. */
export interface Queue {
	fixture: Fixture;
	/** Starts a worker with its own folder, like in a container. */
	startWorker: (name: string, extra?: Record<string, string>) => Promise<N8nProcess>;
	stopWorkers: () => Promise<void>;
	/** Ids of the executions of `/webhook/batch` so far. */
	executionIds: () => Promise<Set<string>>;
	/** Later executions, once all have finished. */
	executionsAfter: (earlier: ReadonlySet<string>, count: number) => Promise<Execution[]>;
}

/** Starts Redis, PostgreSQL and n8n's main process, with files in the database. */
export function useQueue(hostName: string, name: string): Queue {
	const settings: Record<string, string> = {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: 'the-same-for-all',
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		// n8n 1.123.81 keeps files in memory without this setting.
		...(hostName === 'n8n-1' && { N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database' }),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '60',
		// n8n then notices a dead worker within seconds instead of a minute and a half.
		QUEUE_WORKER_LOCK_DURATION: '6000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
		QUEUE_WORKER_STALLED_INTERVAL: '3000',
		// n8n 1 then doesn't repeat a killed worker's execution. n8n 2 has no such setting and never does.
		...(hostName === 'n8n-1' && { QUEUE_WORKER_MAX_STALLED_COUNT: '0' }),
	};
	const workers: N8nProcess[] = [];
	const stopWorkers = async () => {
		await Promise.all(workers.splice(0).map(async (worker) => await worker.stop()));
	};
	after(stopWorkers);
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
	let workflowId = '';
	before(async () => {
		workflowId = await fixture.api.publish(batch(fixture), '/webhook/batch');
	});
	const startWorker: Queue['startWorker'] = async (worker, more = {}) => {
		const folder = join(cache, 'e2e', name, 'workers', worker);
		const place = { folder, fileAccess: [], settings: { ...settings, ...more } };
		await installPacked(place);
		const started = await bootWorker(fixture.host, place, 5);
		workers.push(started);
		return started;
	};
	const executionIds = async () =>
		new Set((await fixture.api.executions(workflowId)).map(({ id }) => id));
	const executionsAfter: Queue['executionsAfter'] = async (earlier, count) => {
		const later = async () =>
			(await fixture.api.executions(workflowId)).filter(({ id }) => !earlier.has(id));
		await until(`${count} executions are over`, async () => {
			const found = await later();
			return found.length === count && found.every(({ status }) => !pending.includes(status));
		});
		return await Promise.all((await later()).map(({ id }) => fixture.api.execution(id)));
	};
	return { fixture, startWorker, stopWorkers, executionIds, executionsAfter };
}
