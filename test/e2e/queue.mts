import { before, describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import type { N8nProcess } from '../../scripts/host/startN8n.mjs';
import { killedWorkerCases } from './cases/killedWorker.mjs';
import { queueCases } from './cases/queue.mjs';
import { queueLogCases } from './cases/queueLog.mjs';
import { queueRunsAgainCases } from './cases/queueRunsAgain.mjs';
import { queueTimeoutCases } from './cases/queueTimeout.mjs';
import { stopCases } from './cases/stop.mjs';
import { useQueue } from './support/useQueue.mjs';

/** Tests of queue mode, whose workers each group starts and stops. */
export function queue(hostName: 'n8n-1' | 'n8n-2'): void {
	describe(`n8n ${hostVersion(hostName)} in queue mode, with Redis, PostgreSQL and workers`, () => {
		const queue = useQueue(hostName, `queue-${hostName}`);
		queueCases(queue);
		if (hostName === 'n8n-1') queueRunsAgainCases(queue);

		describe('A run that is cut off', () => {
			let worker: N8nProcess;
			before(async () => {
				await queue.stopWorkers();
				worker = await queue.startWorker('alone');
			});
			stopCases(queue.fixture, { savesCount: false });
			queueTimeoutCases(queue.fixture, { interrupts: hostName === 'n8n-2' });
			killedWorkerCases(queue, () => worker);
		});

		queueLogCases(queue, { repeats: hostName === 'n8n-1' });
	});
}
