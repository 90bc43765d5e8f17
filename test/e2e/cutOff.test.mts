import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { cutOffCases } from './cases/cutOff.mjs';
import { timeoutCases } from './cases/timeout.mjs';
import { useFixture } from './support/fixture.mjs';

for (const [hostName, marks] of [
	['n8n-2', { keepsMessage: true }],
	['n8n-1', { keepsMessage: false }],
] as const) {
	describe(`A run that is cut off, in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({
			hostName,
			name: `cut-off-${hostName}`,
			prepare: () => Promise.resolve({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '8' }),
		});
		timeoutCases(fixture, marks);
		cutOffCases(fixture);
	});
}
