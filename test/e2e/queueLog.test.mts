import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { queueLogCases } from './cases/queueLog.mjs';
import { impatientQueue } from './support/impatientQueue.mjs';
import { useQueue } from './support/useQueue.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`The Purchase Log in queue mode of n8n ${hostVersion(hostName)}`, () => {
		// n8n 1 as it ships gives a killed worker's executions to another one.
		const queue = useQueue(hostName, `queue-log-${hostName}`, impatientQueue);
		queueLogCases(queue, { repeats: hostName === 'n8n-1' });
	});
}
