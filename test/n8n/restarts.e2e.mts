import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { crashCases, shutdownCase } from '../promises/never-lost/crash.cases.mjs';
import { noPurchaseLogCase, purchaseLogCases } from '../promises/never-lost/purchaseLog.cases.mjs';
import { useFixture } from '../support/wholeN8n/fixture.mjs';
import { Proxy, proxyCase } from '../wire/proxies.cases.mjs';
import { binaryModeCases } from './binaryMode.cases.mjs';
import { combinedFormCases } from './combinedForm.cases.mjs';

/** Settings other than n8n's own, such as the binary data mode that is not the version's own. */
const hosts = [
	{
		hostName: 'n8n-2',
		files: 'memory',
		settings: {
			N8N_DEFAULT_BINARY_DATA_MODE: 'default',
			N8N_EXPRESSION_ENGINE: 'legacy',
			N8N_DATA_TABLES_MAX_SIZE_BYTES: '1000000',
			N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
		},
	},
	{
		hostName: 'n8n-1',
		files: 'filesystem',
		settings: {
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			// Without this setting, n8n 1.123.81 keeps files in memory, whatever the mode.
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem',
		},
	},
];

for (const { hostName, files, settings } of hosts) {
	describe(`n8n ${hostVersion(hostName)} with other settings, which starts again`, () => {
		const proxy = new Proxy();
		const fixture = useFixture({
			hostName,
			name: `restarts-${hostName}`,
			atOnce: true,
			prepare: async (_, closers) => ({ HTTP_PROXY: await proxy.start(closers), ...settings }),
		});
		const hasLog = hostName === 'n8n-2';
		binaryModeCases(fixture, files, hasLog ? ['separate', 'combined'] : ['separate']);
		if (hasLog) combinedFormCases(fixture);
		proxyCase(fixture, proxy);
		if (hasLog) purchaseLogCases(fixture);
		else noPurchaseLogCase(fixture);
		// A shutdown was the same in both (2.41.1 and 1.123.81).
		if (hasLog) shutdownCase(fixture);
		crashCases(fixture, hasLog);
	});
}
