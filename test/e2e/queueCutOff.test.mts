import { before, describe } from 'node:test';
import { queueTimeoutCases } from './cases/queueTimeout.mjs';
import { stopCases } from './cases/stop.mjs';
import { hostVersion } from './support/hostVersion.mjs';
import { useQueue } from './support/useQueue.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`A run that is cut off, in queue mode of n8n ${hostVersion(hostName)} with one worker`, () => {
		const { fixture, startWorker } = useQueue(hostName, `queue-cut-off-${hostName}`, {});
		before(async () => {
			await startWorker('one');
		});
		stopCases(fixture, { savesCount: false });
		queueTimeoutCases(fixture, { interrupts: hostName === 'n8n-2' });
	});
}
