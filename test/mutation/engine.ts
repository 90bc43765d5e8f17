// For jest, which runs a test for those files that it sees imported; the tests run the built node.
import '../../nodes/ImageGeneration/ImageGeneration.node';
import '../../credentials/ImageGenerationApi.credentials';

/**
 * The engine's tests that mutants have to survive, in one file: loading n8n's engine takes longer
 * than most of them, and Stryker loads a test file anew for every mutant. What takes long or draws
 * large pictures is left out.
 */
const FILES = [
	'engine/badInput',
	'engine/credentialTest',
	'engine/images',
	'engine/onError',
	'engine/origin',
	'engine/paidOnce',
	'engine/stop',
	'engine/tool',
	'engine/wire',
	'engine/words',
	'promises/badAnswers',
	'promises/fileNames',
	'promises/key',
	'promises/retryOnFail',
];

for (const file of FILES) {
	describe(file, () => {
		jest.requireActual(`../${file}.test.ts`);
	});
}
