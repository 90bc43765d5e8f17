import { describe } from 'node:test';
import { severalFilesCases } from './cases/severalFiles.mjs';
import { useFixture } from './support/fixture.mjs';
import { hostVersion } from './support/hostVersion.mjs';

for (const [hostName, layouts] of [
	['n8n-2', ['separate', 'combined']],
	['n8n-1', ['separate']],
] as const) {
	describe(`n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `several-files-${hostName}` });
		severalFilesCases(fixture, layouts);
	});
}
