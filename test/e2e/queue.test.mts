import { describe } from 'node:test';
import { queueCases } from './cases/queue.mjs';
import { queueRunsAgainCases } from './cases/queueRunsAgain.mjs';
import { hostVersion } from './support/hostVersion.mjs';
import { useQueue } from './support/useQueue.mjs';

/** A worker that is gone is noticed after seconds, not after a minute and a half. */
const impatient = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`Queue mode of n8n ${hostVersion(hostName)}: Redis, PostgreSQL, main, two workers`, () => {
		// n8n 2 has no such setting: it runs nothing again.
		const settings = hostName === 'n8n-1' ? { QUEUE_WORKER_MAX_STALLED_COUNT: '0' } : {};
		const queue = useQueue(hostName, `queue-${hostName}`, { ...impatient, ...settings });
		queueCases(queue);
		if (hostName === 'n8n-1') queueRunsAgainCases(queue);
	});
}
