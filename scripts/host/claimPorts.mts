import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import getPort, { portNumbers } from 'get-port';
import { PlainError } from '../tools/PlainError.mjs';

/** The ports that a user chose. */
export interface PortOptions {
	port?: number;
	sandboxPort?: number;
}

/** Adds the options for the ports to a command. */
export function withPorts(command: Command): Command {
	return command
		.option('--port <number>', 'port for n8n (default: 5678)', portNumber)
		.option('--sandbox-port <number>', 'port for the sandbox (default: 8080)', portNumber);
}

/**
 * Finds the ports to listen on.
 *
 * @param command that the user can run with other ports, e.g. `npm start`
 * @param allowOther whether other ports will do if the standard ones are in use
 * @throws PlainError if a port is in use and no other will do
 */
export async function claimPorts(
	command: string,
	{ port, sandboxPort }: PortOptions,
	allowOther = false,
): Promise<{ n8n: number; sandbox: number }> {
	return {
		n8n: await claimPort('n8n', `${command} -- --port`, port, 5678, allowOther),
		sandbox: await claimPort(
			'the sandbox',
			`${command} -- --sandbox-port`,
			sandboxPort,
			8080,
			allowOther,
		),
	};
}

async function claimPort(
	what: string,
	command: string,
	chosen: number | undefined,
	standard: number,
	allowOther: boolean,
): Promise<number> {
	const wanted = chosen ?? standard;
	const free = await getPort({ port: wanted, host: '127.0.0.1' });
	if (free === wanted || (allowOther && chosen === undefined)) return free;
	const next = await getPort({ port: portNumbers(wanted + 1, wanted + 100), host: '127.0.0.1' });
	throw new PlainError(
		`Port ${wanted} for ${what} is in use by another program. ` +
			`Stop that program, or choose another port: ${command} ${next}`,
	);
}

function portNumber(value: string): number {
	const number = Number(value);
	if (/^\d+$/.test(value) && number >= 1 && number <= 65_535) return number;
	throw new InvalidArgumentError('It must be a number from 1 to 65535.');
}
