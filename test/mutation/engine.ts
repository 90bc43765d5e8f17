// For jest, which runs a test for those files that it sees imported; the tests run the built node,
// and what that loads with its first run jest does not see.
import '../../nodes/ImageGeneration/ImageGeneration.node';
import '../../nodes/ImageGeneration/report/credentialTest';
import '../../nodes/ImageGeneration/execute';
import '../../credentials/ImageGenerationApi.credentials';

/**
 * The engine's tests that mutants have to survive, in one file, as n8n's engine is started for each
 * file. Those that end most mutants come first.
 */
const FILES = [
	'engine/tool',
	'engine/onError',
	'engine/words',
	'engine/origin',
	'engine/wire',
	'engine/credentialTest',
	'engine/badInput',
	'engine/fileNames',
	'engine/retryOnFail',
	'engine/memoryMode',
	'engine/announcedSize',
	'engine/log',
	'engine/underWay',
	'engine/stop',
	'engine/itemImages',
	'engine/copies',
	'engine/images',
	'engine/paidOnce',
	'engine/badAnswers',
];

for (const file of FILES) {
	describe(file, () => {
		jest.requireActual(`../${file}.test.ts`);
	});
}
