import { describe } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { combinedFormCases } from './cases/combinedForm.mjs';
import { useFixture } from './support/fixture.mjs';

const hostName = 'n8n-2';

describe(`n8n ${hostVersion(hostName)} with N8N_EXPRESSION_ENGINE=legacy`, () => {
	const prepare = () => Promise.resolve({ N8N_EXPRESSION_ENGINE: 'legacy' });
	combinedFormCases(useFixture({ hostName, name: 'combined-form', prepare }));
});
