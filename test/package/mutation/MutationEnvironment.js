const EngineEnvironment = require('../../support/EngineEnvironment.js');

// Random tests have their seed in the title, and Stryker finds a test by its title.
process.env['FUZZ_SEED'] ??= '1';
process.env['FUZZ_RUNS'] ??= '500';

/**
 * The mutant that a test has killed; nothing else needs to run for it.
 * @type {string | undefined}
 */
let killed;

/**
 * The engine's environment, made fast for mutants: Stryker 9.6.1 runs jest anew for each of them,
 * always in the same process, and without an end at the first failing test.
 */
class MutationEnvironment extends EngineEnvironment {
	/** @param {ConstructorParameters<typeof EngineEnvironment>} parameters */
	constructor(...parameters) {
		super(...parameters);
		// Unit tests use fake timers, which what Node has loaded would not know.
		const [, { testPath }] = parameters;
		if (!/\.(engine|slow)\.test\.ts$|\/mutation\//.test(testPath)) delete this.global['loadOnce'];
	}
	/** @type {import('@jest/types').Circus.EventHandler} */
	handleTestEvent = (event, { rootDescribeBlock }) => {
		if (event.name !== 'run_start' && event.name !== 'test_done') return;
		const mutant = process.env['__STRYKER_ACTIVE_MUTANT__'];
		if (event.name === 'test_done' && event.test.errors.length > 0) killed = mutant;
		if (mutant !== undefined && killed === mutant) skipAll(rootDescribeBlock);
	};
}

/** @param {import('@jest/types').Circus.DescribeBlock} block */
function skipAll({ children }) {
	for (const child of children) {
		if (child.type === 'describeBlock') skipAll(child);
		else child.mode = 'skip';
	}
}

module.exports = MutationEnvironment;
