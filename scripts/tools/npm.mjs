import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { PlainError } from './PlainError.mjs';
import { run, RunError } from './run.mjs';

const UNREACHABLE =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ERR_SOCKET_TIMEOUT|FETCH_ERROR|ENOTCACHED)\b/;

const flags = ['--loglevel=error', '--no-fund', '--no-audit'];

/**
 * Runs npm without its warnings and returns its output.
 * @param {readonly string[]} args
 * @param {{ cwd: string, node?: string }} options `node`: the Node for npm and the
 * scripts it starts; default this one
 * @returns {Promise<string>}
 * @throws {PlainError} that says what to do
 */
export async function npm(args, { cwd, node = process.execPath }) {
	const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
	const cli = npmCli();
	try {
		return await run(node, [cli, ...args, ...flags], {
			cwd,
			env: { ...process.env, PATH: path },
		});
	} catch (error) {
		throw error instanceof RunError ? explain(error, args, cwd) : error;
	}
}

/** Whether npm's registry responds, with any status. @param {string} cwd */
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

/** The npm that started this script, or the one that came with this Node. */
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
		throw new PlainError(
			`There is no npm next to ${process.execPath}. Install npm, then run the command again.`,
		);
	}
	return beside;
}

/** @param {RunError} error @param {readonly string[]} args @param {string} cwd */
function explain(error, args, cwd) {
	const [, code] = UNREACHABLE.exec(error.output) ?? [];
	if (code !== undefined) {
		return new PlainError(
			`npm could not reach its registry (${code}) to install what ${cwd} needs. ` +
				'Check your network connection, and the proxy and registry in `npm config list`. ' +
				'Then run the command again.',
		);
	}
	if (error.output.includes('ENOSPC')) {
		return new PlainError(`The disk is full: npm could not install into ${cwd}.`);
	}
	return new PlainError(`npm ${args.join(' ')} failed in ${cwd}:\n${withoutHelp(error.output)}`);
}

/** Removes the help text that npm 11 appends to some errors. @param {string} output */
function withoutHelp(output) {
	const [message = ''] = output.trim().split(/npm error\s*\n?npm error (?:Usage|Clean install)/);
	return message.split('\n').slice(-25).join('\n');
}
