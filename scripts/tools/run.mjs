import { PlainError } from './PlainError.mjs';
import { startGroup, stopGroup } from './processes.mjs';

/**
 * Runs a program and returns what it printed to stdout.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>}
 * @throws {RunError} if it exits with a code other than 0
 */
export async function run(command, args, { cwd, env = process.env }) {
	const child = startGroup(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
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
		if (code === 0) return stdout;
		const printed = (stderr.trim() || stdout.trim()).split('\n').slice(-15).join('\n');
		throw new RunError(
			`${[command, ...args].join(' ')} exited with ${code ?? 'a signal'}:\n${printed}`,
			`${stdout}\n${stderr}`,
		);
	} finally {
		await stopGroup(child, 0);
	}
}

/** A program exited with a code other than 0. `output` is everything it printed. */
export class RunError extends PlainError {
	/** @param {string} message @param {string} output */
	constructor(message, output) {
		super(message);
		this.output = output;
	}
}
