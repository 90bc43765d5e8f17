import { before, describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import type { N8nProcess } from '../../scripts/host/startN8n.mjs';
import { killedWorkerCases } from './cases/killedWorker.mjs';
import { queueTimeoutCases } from './cases/queueTimeout.mjs';
import { stopCases } from './cases/stop.mjs';
import { impatientQueue, neverRepeats } from './support/impatientQueue.mjs';
import { useQueue } from './support/useQueue.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`A run that is cut off, in queue mode of n8n ${hostVersion(hostName)}`, () => {
		const settings = { ...impatientQueue, ...neverRepeats(hostName) };
		const queue = useQueue(hostName, `queue-cut-off-${hostName}`, settings);
		let worker: N8nProcess;
		before(async () => {
			worker = await queue.startWorker('one');
		});
		stopCases(queue.fixture, { savesCount: false });
		queueTimeoutCases(queue.fixture, { interrupts: hostName === 'n8n-2' });
		killedWorkerCases(queue, () => worker);
	});
}
