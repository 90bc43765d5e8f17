import { describe } from 'node:test';
import { queueCases } from './cases/queue.mjs';
import { queueRunsAgainCases } from './cases/queueRunsAgain.mjs';
import { hostVersion } from './support/hostVersion.mjs';
import { useQueue } from './support/useQueue.mjs';

/** Settings by which n8n notices a dead worker within seconds instead of a minute and a half. */
const impatient = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`n8n ${hostVersion(hostName)} in queue mode, with Redis, PostgreSQL and two workers`, () => {
		// n8n 2 has no such setting and repeats no execution.
		const settings = hostName === 'n8n-1' ? { QUEUE_WORKER_MAX_STALLED_COUNT: '0' } : {};
		const queue = useQueue(hostName, `queue-${hostName}`, { ...impatient, ...settings });
		queueCases(queue);
		if (hostName === 'n8n-1') queueRunsAgainCases(queue);
	});
}
