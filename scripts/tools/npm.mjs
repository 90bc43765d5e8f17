import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { PlainError } from './PlainError.mjs';
import { run, RunError } from './run.mjs';

const UNREACHABLE =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ERR_SOCKET_TIMEOUT|FETCH_ERROR|ENOTCACHED)\b/;

const flags = ['--loglevel=error', '--no-fund', '--no-audit'];

/**
 * Runs npm without its wall of warnings and returns what it printed.
 * @param {readonly string[]} args
 * @param {{ cwd: string, node?: string, tick?: boolean }} options `node`: the Node that npm and
 * every script it starts run under, default this one
 * @returns {Promise<string>}
 * @throws {PlainError} that says what to do
 */
export async function npm(args, { cwd, node = process.execPath, tick = false }) {
	const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
	const cli = npmCli();
	try {
		return await run(node, [cli, ...args, ...flags], {
			cwd,
			env: { ...process.env, PATH: path },
			tick,
		});
	} catch (error) {
		throw error instanceof RunError ? inWords(error, args, cwd) : error;
	}
}

/** Whether npm's registry answers, in whatever way. @param {string} cwd */
export async function canReachRegistry(cwd) {
	try {
		await run(process.execPath, [npmCli(), 'ping', '--fetch-retries=0', '--fetch-timeout=10000'], {
			cwd,
		});
		return true;
	} catch (error) {
		return error instanceof RunError && !UNREACHABLE.test(error.output);
	}
}

/** The npm that runs this script, else the one that came with this Node. */
function npmCli() {
	const { npm_execpath: running = '' } = process.env;
	if (basename(running) === 'npm-cli.js' && existsSync(running)) return running;
	const bin = dirname(process.execPath);
	const beside = [
		join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
		join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
		join(bin, '..', 'share', 'nodejs', 'npm', 'bin', 'npm-cli.js'),
	].find((file) => existsSync(file));
	if (beside === undefined) {
		throw new PlainError(`Found no npm beside ${process.execPath}. Install npm, then try again.`);
	}
	return beside;
}

/** @param {RunError} error @param {readonly string[]} args @param {string} cwd */
function inWords(error, args, cwd) {
	const [, code] = UNREACHABLE.exec(error.output) ?? [];
	if (code !== undefined) {
		return new PlainError(
			`npm could not reach its registry (${code}) to install what ${cwd} needs. ` +
				'Connect to the network, or check the proxy and registry of `npm config list`, ' +
				'then run the same command again.',
		);
	}
	if (error.output.includes('ENOSPC')) {
		return new PlainError(`The disk is full: npm could not install into ${cwd}.`);
	}
	return new PlainError(
		`In ${cwd}, npm ${args.join(' ')} did not work:\n${npmsWords(error.output)}`,
	);
}

/** npm 11 follows some errors with its whole help. @param {string} output */
function npmsWords(output) {
	const [words = ''] = output.trim().split(/npm error\s*\n?npm error (?:Usage|Clean install)/);
	return words.split('\n').slice(-25).join('\n');
}
