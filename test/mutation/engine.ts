import '../support/quickRetries';

import { readdirSync } from 'node:fs';

// Jest runs a test for the files that it sees imported. It does not see what the node loads with its
// first run.
import '../../nodes/ImageGeneration/ImageGeneration.node';
import '../../nodes/ImageGeneration/report/credentialTest';
import '../../nodes/ImageGeneration/execute';
import '../../credentials/ImageGenerationApi.credentials';

/** Those that end most mutants, which run first. */
const FIRST = ['origin', 'tool', 'onError', 'failureMessages', 'wire', 'credentialTest'];

const names = readdirSync('test/engine')
	.filter((file) => file.endsWith('.test.ts'))
	.map((file) => file.replace('.test.ts', ''));
const isFirst = (name: string) => FIRST.includes(name);

// All in one file, because jest takes a while to set each file up.
for (const name of new Set([...names.filter(isFirst), ...names])) {
	// It needs an n8n with another network setting.
	if (name === 'guarded') continue;
	describe(name, () => {
		jest.requireActual(`../engine/${name}.test.ts`);
	});
}
