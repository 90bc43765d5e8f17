const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

// n8n's engine keeps its settings in the user's home by default. It reads the log's location only
// once, so all test files of a process share a log.
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

/** The sandbox's images, for drawnOnce.ts. */
const pictures = new Map();

const ERRORS = [
	Error,
	AggregateError,
	EvalError,
	RangeError,
	ReferenceError,
	SyntaxError,
	TypeError,
	URIError,
];

/**
 * Jest's environment for tests that run n8n's engine. Jest loads modules again for each file and
 * never releases n8n's 1,700: a worker's heap grew to 900 MB (jest 30.5.2, n8n-core 2.40.2). Here
 * Node loads the packages once per process; see loadedOnce.ts.
 */
class EngineEnvironment extends TestEnvironment {
	/** @param {ConstructorParameters<typeof TestEnvironment>} parameters */
	constructor(...parameters) {
		super(...parameters);
		// Each test file has its own error classes, but n8n throws Node's. Here the file uses Node's
		// classes and its own inherit from them, so that instanceof works for both.
		for (const Class of ERRORS) {
			const { prototype } = /** @type {ErrorConstructor} */ (this.global[Class.name]);
			Object.setPrototypeOf(prototype, Class.prototype);
			this.global[Class.name] = Class;
		}
		Object.assign(this.global, { loadOnce: require, pictures, n8nLog: log });
	}
}

module.exports = EngineEnvironment;
