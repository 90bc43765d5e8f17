import { PlainError } from './PlainError.mjs';
import { startGroup, stopGroup } from './processes.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} [env] default: this process's
 * @property {boolean} [tick] print the time that has passed every ten seconds
 */

/**
 * Runs a program to its end and returns what it printed to stdout.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<string>}
 * @throws {RunError} when it cannot be started or exits with another code than 0
 */
export async function run(command, args, { cwd, env = process.env, tick = false }) {
	const child = startGroup(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
	const started = Date.now();
	const timer = tick
		? setInterval(() => {
				console.log(`  … ${Math.round((Date.now() - started) / 1000)} s`);
			}, 10_000)
		: undefined;
	let stdout = '';
	let stderr = '';
	child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => (stdout += text));
	child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => (stderr += text));
	try {
		/** @type {number | null} */
		const code = await new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('close', resolve);
		});
		if (code !== 0) throw new RunError(command, args, code, stdout, stderr);
		return stdout;
	} finally {
		clearInterval(timer);
		await stopGroup(child, 0);
	}
}

/** A program that exited with another code than 0, with all that it printed. */
export class RunError extends PlainError {
	/**
	 * @param {string} command
	 * @param {readonly string[]} args
	 * @param {number | null} code
	 * @param {string} stdout
	 * @param {string} stderr
	 */
	constructor(command, args, code, stdout, stderr) {
		const printed = (stderr.trim() || stdout.trim()).split('\n').slice(-15).join('\n');
		super(`${[command, ...args].join(' ')} ended with ${code ?? 'a signal'}:\n${printed}`);
		this.output = `${stdout}\n${stderr}`;
	}
}
