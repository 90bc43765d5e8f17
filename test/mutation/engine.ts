// Jest runs a test for the files that it sees imported. It does not see what the node loads with its
// first run.
import '../../nodes/ImageGeneration/ImageGeneration.node';
import '../../nodes/ImageGeneration/report/credentialTest';
import '../../nodes/ImageGeneration/execute';
import '../../credentials/ImageGenerationApi.credentials';

/**
 * The engine's tests that mutants have to survive, in one file, because jest takes a while to set
 * each file up. Those that end most mutants come first.
 */
const FILES = [
	'engine/tool',
	'engine/onError',
	'engine/failureMessages',
	'engine/origin',
	'engine/wire',
	'engine/credentialTest',
	'engine/badInput',
	'engine/fileNames',
	'engine/retryOnFail',
	'engine/imageSizes',
	'engine/log',
	'engine/manyJobs',
	'engine/stop',
	'engine/itemImages',
	'engine/copies',
	'engine/images',
	'engine/paidOnce',
	'engine/maxImages',
	'engine/stoppedRuns',
	'engine/reuse',
	'engine/imagesPaid',
	'engine/unsupportedHost',
];

for (const file of FILES) {
	describe(file, () => {
		jest.requireActual(`../${file}.test.ts`);
	});
}
