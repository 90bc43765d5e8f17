import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { callerCases } from './cases/caller.mjs';
import { evaluationCase } from './cases/evaluation.mjs';
import { waitingLoopCase } from './cases/loop.mjs';
import { meantCases } from './cases/meant.mjs';
import { meetingCases } from './cases/meeting.mjs';
import { nextRunCases, timeLimitCase } from './cases/nextRun.mjs';
import { useFixture } from './support/fixture.mjs';

/** What n8n stores and tells of executions, and what is paid once because of that. */
for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`Executions in n8n ${hostVersion(hostName)}`, { concurrency: 5 }, () => {
		const fixture = useFixture({ hostName, name: `executions-${hostName}`, atOnce: true });
		timeLimitCase(fixture);
		if (hostName === 'n8n-2') timeLimitCase(fixture, 'Log of time limits');
		nextRunCases(fixture, hostName);
		callerCases(fixture);
		waitingLoopCase(fixture);
		// Evaluations need n8n 2's tables, and executions that meet were the same in both (2.41.1 and 1.123.81).
		if (hostName === 'n8n-1') return;
		meantCases(fixture);
		meetingCases(fixture);
		evaluationCase(fixture);
	});
}
