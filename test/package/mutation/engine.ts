import '../../support/quickRetries';

import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

// Jest runs a test for the files that it sees imported. It does not see what the node loads with its
// first run.
import '../../../nodes/ImageGeneration/ImageGeneration.node';
import '../../../nodes/ImageGeneration/report/credentialTest';
import '../../../nodes/ImageGeneration/execute';
import '../../../credentials/ImageGenerationApi.credentials';

/** Those that end most mutants, which run first. */
const FIRST = ['tool', 'onError', 'failureMessages', 'requests', 'credentialTest'];

/** Those that need an n8n with another network setting, or another time, or more time than a mutant has. */
const HAVE_THEIR_OWN = ['guarded', 'said', 'signedAddress', 'stories', 'whoMayHave'];

const ENDING = '.engine.test.ts';
const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith(ENDING),
);
const nameOf = (file: string) => basename(file, ENDING);
const isFirst = (file: string) => FIRST.includes(nameOf(file));

// All in one file, because jest takes a while to set each file up.
for (const file of new Set([...files.filter(isFirst), ...files])) {
	if (HAVE_THEIR_OWN.includes(nameOf(file))) continue;
	describe(nameOf(file), () => {
		jest.requireActual(`../../${file}`);
	});
}
