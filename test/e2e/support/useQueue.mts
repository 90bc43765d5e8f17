import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import { bootWorker } from '../../../scripts/host/bootWorker.mjs';
import { installPackage } from '../../../scripts/host/installPackage.mjs';
import type { N8nProcess } from '../../../scripts/host/startN8n.mjs';
import { cache } from '../../../scripts/tools/checkout.mjs';
import { useHouse, type House } from './house.mjs';
import { packedPackage } from './packedPackage.mjs';
import { startPostgres, user } from './startPostgres.mjs';
import { startRedis } from './startRedis.mjs';

/** A house whose n8n hands its executions to workers. */
export interface Queue {
	house: House;
	/** Starts a worker with a folder of its own, as one in a container has. */
	startWorker: (name: string) => Promise<N8nProcess>;
}

/** Builds Redis, PostgreSQL and n8n's main process; binary data is kept in the database. */
export function useQueue(hostName: string, name: string, extra: Record<string, string>): Queue {
	const settings: Record<string, string> = {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: 'the-same-for-all',
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		// Without it n8n 1.123.81 keeps files in memory.
		...(hostName === 'n8n-1' && { N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database' }),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '60',
		...extra,
	};
	const workers: N8nProcess[] = [];
	after(async () => {
		for (const worker of workers) await worker.stop();
	});
	const house = useHouse({
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
	const startWorker = async (worker: string): Promise<N8nProcess> => {
		const folder = join(cache, 'e2e', name, 'workers', worker);
		const place = { folder, fileAccess: [], settings };
		await installPackage(place, packedPackage());
		const started = await bootWorker(house.host, place, 5);
		workers.push(started);
		return started;
	};
	return { house, startWorker };
}
