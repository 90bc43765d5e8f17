import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { crashCases, shutdownCase } from '../promises/never-lost/crash.cases.mjs';
import { purchaseLogCases } from '../promises/never-lost/purchaseLog.cases.mjs';
import { useFixture } from '../support/wholeN8n/fixture.mjs';
import { Proxy, proxyCase } from '../wire/proxies.cases.mjs';
import { binaryModeCases } from './binaryMode.cases.mjs';
import { combinedFormCases } from './combinedForm.cases.mjs';

describe(`n8n ${hostVersion('n8n-2')} with other settings, which starts again`, () => {
	const proxy = new Proxy();
	const fixture = useFixture({
		hostName: 'n8n-2',
		name: 'restarts',
		atOnce: true,
		// Settings other than n8n's own, such as files in memory.
		prepare: async (_, closers) => ({
			HTTP_PROXY: await proxy.start(closers),
			N8N_DEFAULT_BINARY_DATA_MODE: 'default',
			N8N_EXPRESSION_ENGINE: 'legacy',
			N8N_DATA_TABLES_MAX_SIZE_BYTES: '1000000',
			N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
		}),
	});
	binaryModeCases(fixture, 'memory', ['separate', 'combined']);
	combinedFormCases(fixture);
	proxyCase(fixture, proxy);
	purchaseLogCases(fixture);
	shutdownCase(fixture);
	crashCases(fixture);
});
