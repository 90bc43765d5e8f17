const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

// n8n's engine keeps its settings in the user's home unless told otherwise. It reads where to write
// its log only once, so the log of all the files that this process runs is one.
const folder = path.join(__dirname, '..', '..', '.cache', 'engine');
const log = path.join(folder, `log-${process.pid}.txt`);
Object.assign(process.env, {
	N8N_USER_FOLDER: folder,
	N8N_LOG_LEVEL: 'debug',
	N8N_LOG_OUTPUT: 'file',
	N8N_LOG_FILE_LOCATION: log,
});
mkdirSync(folder, { recursive: true });
writeFileSync(log, '');
process.once('exit', () => rmSync(log, { force: true }));

/** For drawnOnce.ts. */
const pictures = new Map();

const ERRORS = [
	...[Error, AggregateError, EvalError, RangeError, ReferenceError],
	...[SyntaxError, TypeError, URIError],
];

/**
 * Jest's environment for Node, for the tests that go through n8n's engine. Jest gives each file
 * modules of its own; n8n's 1,700 of them are 300 MB that the next file does not get back. Here Node
 * loads the packages once for the process, see loadedOnce.ts.
 */
class EngineEnvironment extends TestEnvironment {
	/** @param {ConstructorParameters<typeof TestEnvironment>} parameters */
	constructor(...parameters) {
		super(...parameters);
		// Jest also gives each file error classes of its own. n8n has Node's, and asks with instanceof
		// what it caught. So both have Node's, and what the engine of the language throws is one of them.
		for (const Class of ERRORS) {
			const { prototype } = /** @type {ErrorConstructor} */ (this.global[Class.name]);
			Object.setPrototypeOf(prototype, Class.prototype);
			this.global[Class.name] = Class;
		}
		Object.assign(this.global, { loadOnce: require, pictures, n8nLog: log });
	}
}

module.exports = EngineEnvironment;
