import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { queueCases } from './cases/queue.mjs';
import { queueRunsAgainCases } from './cases/queueRunsAgain.mjs';
import { impatientQueue, neverRepeats } from './support/impatientQueue.mjs';
import { useQueue } from './support/useQueue.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`n8n ${hostVersion(hostName)} in queue mode, with Redis, PostgreSQL and two workers`, () => {
		const settings = { ...impatientQueue, ...neverRepeats(hostName) };
		const queue = useQueue(hostName, `queue-${hostName}`, settings);
		queueCases(queue);
		if (hostName === 'n8n-1') queueRunsAgainCases(queue);
	});
}
