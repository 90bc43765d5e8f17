import getPort from 'get-port';
import type { Place } from '../../../scripts/host/environment.mjs';
import type { Host } from '../../../scripts/host/installHost.mjs';
import { startN8n, type N8nProcess } from '../../../scripts/host/startN8n.mjs';

/** Starts a worker for n8n's queue mode and waits until it accepts jobs. */
export async function bootWorker(
	host: Host,
	place: Place,
	concurrency: number,
): Promise<N8nProcess> {
	const port = await getPort({ host: '127.0.0.1' });
	return await startN8n(host, place, {
		args: ['worker', `--concurrency=${concurrency}`],
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
