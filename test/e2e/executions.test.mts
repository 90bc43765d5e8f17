import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { editedLogCases } from './cases/editedLog.mjs';
import { killedLoopCases } from './cases/killedLoop.mjs';
import { laterNodeCases } from './cases/laterNode.mjs';
import { repeatedCallerCases } from './cases/repeatedCaller.mjs';
import { standstillCases } from './cases/standstill.mjs';
import { storedCases } from './cases/stored.mjs';
import { timeoutOfManyCases } from './cases/timeoutOfMany.mjs';
import { toldOnceCase } from './cases/toldOnce.mjs';
import { useFixture } from './support/fixture.mjs';
import { SharedKill } from './support/SharedKill.mjs';

/** What is paid once although the node's run has ended, and its execution goes on or is cut off. */
for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`An execution that outlives a run, in n8n ${hostVersion(hostName)}`, () => {
		const prepare = () => Promise.resolve({});
		const fixture = useFixture({ hostName, name: `executions-${hostName}`, prepare });
		storedCases(fixture, hostName);
		repeatedCallerCases(fixture, hostName);
		timeoutOfManyCases(fixture, hostName);
		standstillCases(fixture, hostName);

		// Only a Purchase Log survives it.
		if (hostName !== 'n8n-2') return;
		describe('A crash of n8n (SIGKILL), with a Purchase Log', () => {
			const kill = new SharedKill(fixture);
			laterNodeCases(fixture, kill);
			killedLoopCases(fixture, kill);
			editedLogCases(fixture, kill);
			toldOnceCase(fixture, kill);
		});
	});
}
