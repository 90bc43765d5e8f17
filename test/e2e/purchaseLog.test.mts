import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { purchaseLogCases } from './cases/purchaseLog.mjs';
import { useFixture } from './support/fixture.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`The Purchase Log in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({
			hostName,
			name: `purchase-log-${hostName}`,
			prepare: () =>
				Promise.resolve({
					N8N_DATA_TABLES_MAX_SIZE_BYTES: '1000000',
					N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
				}),
		});
		purchaseLogCases(fixture, { makesTable: hostName === 'n8n-2' });
	});
}
