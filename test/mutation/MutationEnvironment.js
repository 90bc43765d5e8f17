const EngineEnvironment = require('../support/EngineEnvironment.js');

// Random tests have their seed in the title, and Stryker finds a test by its title.
process.env['FUZZ_SEED'] ??= '1';
process.env['FUZZ_RUNS'] ??= '500';

/** Takes seconds; the same promise is held with fewer items by others. */
const TOO_LONG = /holds for a thousand items/;

/** For rememberPictures.ts. */
const pictures = new Map();

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
		if (testPath.includes('/test/unit/')) delete this.global['loadOnce'];
		else Object.assign(this.global, { pictures });
	}
	/** @type {import('@jest/types').Circus.EventHandler} */
	handleTestEvent = (event, { rootDescribeBlock }) => {
		if (event.name !== 'run_start' && event.name !== 'test_done') return;
		const mutant = process.env['__STRYKER_ACTIVE_MUTANT__'];
		if (event.name === 'test_done' && event.test.errors.length > 0) killed = mutant;
		const isOver = mutant !== undefined && killed === mutant;
		skip(rootDescribeBlock, isOver ? /(?:)/ : TOO_LONG);
	};
}

/**
 * @param {import('@jest/types').Circus.DescribeBlock} block
 * @param {RegExp} names
 */
function skip(block, names) {
	for (const child of block.children) {
		if (child.type === 'describeBlock') skip(child, names.test(child.name) ? /(?:)/ : names);
		else if (names.test(child.name)) child.mode = 'skip';
	}
}

module.exports = MutationEnvironment;
