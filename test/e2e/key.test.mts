import { describe } from 'node:test';
import { credentialEditCases } from './cases/credentialEdit.mjs';
import { keyOriginCases } from './cases/keyOrigin.mjs';
import { useFixture } from './support/fixture.mjs';
import { hostVersion } from './support/hostVersion.mjs';

for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`The key, in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `key-${hostName}` });
		credentialEditCases(fixture);
		keyOriginCases(fixture);
	});
}
