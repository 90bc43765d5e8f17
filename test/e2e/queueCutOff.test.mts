import { before, describe } from 'node:test';
import { stopCases } from './cases/stop.mjs';
import { timeoutCases } from './cases/timeout.mjs';
import { hostVersion } from './support/hostVersion.mjs';
import { useQueue } from './support/useQueue.mjs';

for (const [hostName, marks] of [
	['n8n-2', { keepsMessage: true }],
	['n8n-1', { keepsMessage: false }],
] as const) {
	describe(`A run that is cut off, in queue mode of n8n ${hostVersion(hostName)} with one worker`, () => {
		const { fixture, startWorker } = useQueue(hostName, `queue-cut-off-${hostName}`, {});
		before(async () => {
			await startWorker('one');
		});
		stopCases(fixture);
		timeoutCases(fixture, marks);
	});
}
