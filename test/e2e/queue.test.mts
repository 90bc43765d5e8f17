import { before, describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { binaryModeCases } from './cases/binaryMode.mjs';
import { queueCases } from './cases/queue.mjs';
import { concurrentLogCase, otherWorkerCases } from './cases/queueLog.mjs';
import { stopCases } from './cases/stop.mjs';
import { queueTimeoutCase } from './cases/timeout.mjs';
import { useQueue } from './support/useQueue.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`n8n ${hostVersion(hostName)} in queue mode, with Redis, PostgreSQL and workers`, () => {
		const isOld = hostName === 'n8n-1';
		const queue = useQueue(hostName, `queue-${hostName}`);
		if (!isOld) concurrentLogCase(queue);
		queueCases(queue, isOld);

		describe('A single worker', () => {
			before(async () => {
				await queue.workers(1, true);
			});
			binaryModeCases(queue.fixture, hostName, 'database');
			stopCases(queue.fixture, true);
			queueTimeoutCase(queue.fixture, hostName);
		});

		if (!isOld) otherWorkerCases(queue);
	});
}
