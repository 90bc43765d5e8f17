import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { purchaseLogCases } from './cases/purchaseLog.mjs';
import { restartCases } from './cases/restart.mjs';
import { timeoutCases } from './cases/timeout.mjs';
import { useFixture } from './support/fixture.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`A run that is cut off, in n8n ${hostVersion(hostName)}`, () => {
		const settings = {
			N8N_DATA_TABLES_MAX_SIZE_BYTES: '1000000',
			N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
		};
		const prepare = () => Promise.resolve(settings);
		const fixture = useFixture({ hostName, name: `cut-off-${hostName}`, prepare });
		timeoutCases(fixture, hostName);
		restartCases(fixture);
		purchaseLogCases(fixture);
	});
}
