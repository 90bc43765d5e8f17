const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { types } = require('node:util');
const { TestEnvironment } = require('jest-environment-node');

// What is loaded outside of jest reads these there.
require('../support/environment.js');

// Random tests have their seed in the title, and Stryker finds a test by its title.
process.env['FUZZ_SEED'] ??= '1';
process.env['FUZZ_RUNS'] ??= '500';

/** Takes seconds; the same promise is held with fewer items by others. */
const TOO_LONG = /holds for a thousand items/;

// n8n's log, for the tests that read it: n8n is told only once where to write it.
const log = path.join(__dirname, '..', '..', '.cache', 'engine', `log-${process.pid}.txt`);
mkdirSync(path.dirname(log), { recursive: true });
writeFileSync(log, '');
Object.assign(process.env, {
	N8N_LOG_LEVEL: 'info',
	N8N_LOG_OUTPUT: 'file',
	N8N_LOG_FILE_LOCATION: log,
});

/** For outside.ts. */
const outside = { load: require, pictures: new Map(), log };

/**
 * The mutant that a test has killed; nothing else needs to run for it.
 * @type {string | undefined}
 */
let killed;

/**
 * Jest's environment for Node, made fast for mutants: Stryker 9.6.1 runs jest anew for each of them,
 * always in the same process, and without an end at the first failing test.
 */
class MutationEnvironment extends TestEnvironment {
	/** @param {ConstructorParameters<typeof TestEnvironment>} parameters */
	constructor(...parameters) {
		super(...parameters);
		// Unit tests use fake timers, which what is outside would not know.
		const [, { testPath }] = parameters;
		if (!testPath.includes('/test/unit/')) Object.assign(this.global, { outside });
		// Each test file has classes of its own; without this, what came from outside were no Error.
		const { Error } = this.global;
		Object.defineProperty(Error, Symbol.hasInstance, {
			/** @param {unknown} value */
			value(value) {
				if (this === Error && types.isNativeError(value)) return true;
				return Function.prototype[Symbol.hasInstance].call(this, value);
			},
		});
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
