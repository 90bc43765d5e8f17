import { before, describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { binaryModeCases } from './cases/binaryMode.mjs';
import { timeLimitCase } from './cases/nextRun.mjs';
import { oneWorkerCases, twoWorkersCases } from './cases/queue.mjs';
import { useQueue } from './support/useQueue.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`n8n ${hostVersion(hostName)} in queue mode, with Redis, PostgreSQL and workers`, () => {
		const queue = useQueue(hostName, `queue-${hostName}`);
		const hasLog = hostName === 'n8n-2';
		before(async () => {
			await queue.workers(1);
		});
		binaryModeCases(queue.fixture, hostName, 'database');
		if (hasLog) timeLimitCase(queue.fixture, 'Log of time limits');
		oneWorkerCases(queue, hasLog);
		twoWorkersCases(queue, hasLog);
	});
}
