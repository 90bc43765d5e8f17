import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { meantCases } from '../promises/meant-is-bought/meant.cases.mjs';
import { nextRunCases, timeLimitCase } from '../promises/never-lost/nextRun.cases.mjs';
import { useFixture } from '../support/wholeN8n/fixture.mjs';
import { callerCases } from './callers.cases.mjs';
import { evaluationCase } from './evaluation.cases.mjs';
import { waitingLoopCase } from './loop.cases.mjs';

/** What n8n stores and tells of executions, and what is paid once because of that. */
for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`Executions in n8n ${hostVersion(hostName)}`, { concurrency: 5 }, () => {
		const fixture = useFixture({ hostName, name: `executions-${hostName}`, atOnce: true });
		timeLimitCase(fixture, hostName === 'n8n-2' ? 'Log of time limits' : undefined);
		nextRunCases(fixture, hostName);
		callerCases(fixture, hostName);
		// Evaluations need n8n 2's tables, and the others were the same in both (2.41.1 and 1.123.81).
		if (hostName === 'n8n-1') return;
		meantCases(fixture);
		waitingLoopCase(fixture);
		evaluationCase(fixture);
	});
}
