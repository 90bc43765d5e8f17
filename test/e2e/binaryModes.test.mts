import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { binaryModeCases, type Layout } from './cases/binaryMode.mjs';
import { useFixture } from './support/fixture.mjs';

/** `default` is n8n's name for memory. */
const modes = ['filesystem', 'default', 'database'];

const hosts = [
	{
		hostName: 'n8n-2',
		standard: 'filesystem',
		layouts: ['separate', 'combined'] satisfies Layout[],
		settings: {},
	},
	{
		hostName: 'n8n-1',
		standard: 'default',
		layouts: ['separate'] satisfies Layout[],
		// n8n 1.123.81 keeps files in memory without this setting, whatever the mode.
		settings: { N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database' },
	},
];

for (const { hostName, standard, layouts, settings } of hosts) {
	for (const mode of modes) {
		describe(`n8n ${hostVersion(hostName)}`, () => {
			const fixture = useFixture({
				hostName,
				name: `binary-${hostName}-${mode}`,
				...(mode !== standard && {
					prepare: () => Promise.resolve({ ...settings, N8N_DEFAULT_BINARY_DATA_MODE: mode }),
				}),
			});
			binaryModeCases(fixture, mode === 'default' ? 'memory' : mode, layouts);
		});
	}
}
