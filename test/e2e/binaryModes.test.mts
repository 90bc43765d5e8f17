import { describe } from 'node:test';
import { binaryModeCases } from './cases/binaryMode.mjs';
import { hostVersion } from './support/hostVersion.mjs';
import { useHouse } from './support/house.mjs';

/** `default` is n8n's name for memory. */
for (const mode of ['filesystem', 'default', 'database']) {
	describe(`Binary data of n8n ${hostVersion('n8n-2')}`, () => {
		const settings = { N8N_DEFAULT_BINARY_DATA_MODE: mode };
		const house = useHouse({
			hostName: 'n8n-2',
			name: `binary-${mode}`,
			prepare: async () => await Promise.resolve(settings),
		});
		binaryModeCases(house, mode === 'default' ? 'memory' : mode);
	});
}
