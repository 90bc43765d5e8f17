import { before, describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { timeLimitCase } from '../promises/never-lost/nextRun.cases.mjs';
import { useQueue } from '../support/wholeN8n/useQueue.mjs';
import { binaryModeCases } from './binaryMode.cases.mjs';
import { oneWorkerCases, twoWorkersCases } from './queue.cases.mjs';

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
