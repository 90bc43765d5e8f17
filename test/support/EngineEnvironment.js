const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

// n8n's engine keeps its settings in the user's home unless told otherwise. It reads where to log only
// once, so all test files of this process share one log.
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

/** The sandbox's pictures, for drawnOnce.ts. */
const pictures = new Map();

const ERRORS = [
	...[Error, AggregateError, EvalError, RangeError, ReferenceError],
	...[SyntaxError, TypeError, URIError],
];

/**
 * Jest's environment for tests that run n8n's engine. Jest loads modules anew for each file and never
 * released n8n's 1,700: the heap of a worker grew to 900 MB (jest 30.5.2, n8n-core 2.40.2). Here Node
 * loads the packages once per process, see loadedOnce.ts.
 */
class EngineEnvironment extends TestEnvironment {
	/** @param {ConstructorParameters<typeof TestEnvironment>} parameters */
	constructor(...parameters) {
		super(...parameters);
		// Each file runs in a context with error classes of its own, while n8n has Node's. With Node's
		// classes here, and those of the context below them, instanceof gives both the same answer.
		for (const Class of ERRORS) {
			const { prototype } = /** @type {ErrorConstructor} */ (this.global[Class.name]);
			Object.setPrototypeOf(prototype, Class.prototype);
			this.global[Class.name] = Class;
		}
		Object.assign(this.global, { loadOnce: require, pictures, n8nLog: log });
	}
}

module.exports = EngineEnvironment;
