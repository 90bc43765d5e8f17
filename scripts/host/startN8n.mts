import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { root } from '../tools/checkout.mjs';
import { atEnd } from '../tools/ending.mjs';
import { PlainError } from '../tools/PlainError.mjs';
import { startGroup, stopGroup } from '../tools/processes.mjs';
import { environment, temporary, type Place } from './environment.mjs';
import type { Host } from './installHost.mjs';

/** A running n8n process and its children. */
export interface N8nProcess {
	/** Path of the file with its output. */
	log: string;
	/** Resolves with what happened, without a full stop, if it exits unasked. */
	died: Promise<string>;
	/** Sends SIGTERM, and SIGKILL after a while. Resolves when it has exited. */
	stop: () => Promise<void>;
	/** Kills it at once, like a power cut. */
	kill: () => Promise<void>;
}

/** The command to start. */
export interface Command {
	/** `start` or `worker`, with its options. */
	args: readonly string[];
	/** Environment variables, which override those of the place. */
	settings: NodeJS.ProcessEnv;
	/**
	 * Whether it is ready. Called until it returns true; may throw until something listens.
	 * @param log path of the file with its output
	 */
	isReady: (log: string) => Promise<boolean>;
	/** How long to wait after SIGTERM, in milliseconds; default 15,000. */
	graceMs?: number;
}

const bootSeconds = 180;

/** Starts n8n and waits until it is ready. Stops it when this process ends. */
export async function startN8n(
	host: Host,
	place: Place,
	{ args, settings, isReady, graceMs = 15_000 }: Command,
): Promise<N8nProcess> {
	rmSync(temporary(place), { recursive: true, force: true });
	mkdirSync(temporary(place), { recursive: true });
	const log = join(place.folder, 'n8n.log');
	rmSync(log, { force: true });
	const child = startGroup(host.node, [host.n8n, ...args], {
		cwd: root,
		env: {
			...environment(host, place),
			N8N_RUNNERS_BROKER_PORT: String(await getPort({ host: '127.0.0.1' })),
			...settings,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const file = createWriteStream(log);
	child.stdout?.pipe(file, { end: false });
	child.stderr?.pipe(file, { end: false });

	let stopping = false;
	const died = new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(`n8n did not start: ${error.message}`));
		child.once('close', (code) => {
			file.end();
			if (!stopping) resolve(`n8n exited with ${code ?? 'a signal'}`);
		});
	});
	const stop = async () => {
		stopping = true;
		await stopGroup(child, graceMs);
	};
	const kill = async () => {
		stopping = true;
		child.kill('SIGKILL');
		await stopGroup(child, 0);
	};
	atEnd(stop);

	const waiting = new AbortController();
	const ready = waitUntilReady(async () => await isReady(log), waiting.signal);
	const reason = await Promise.race([died, ready]);
	waiting.abort();
	if (reason !== undefined) {
		await stop();
		throw new PlainError(`${reason}. Last lines of ${log}:\n${await tail(log)}`);
	}
	return { log, died, stop, kill };
}

/** Resolves once n8n is ready; with a message, without a full stop, if that takes too long. */
async function waitUntilReady(
	isReady: () => Promise<boolean>,
	signal: AbortSignal,
): Promise<string | undefined> {
	const deadline = Date.now() + bootSeconds * 1000;
	while (!signal.aborted && Date.now() < deadline) {
		try {
			if (await isReady()) return undefined;
		} catch {
			// Not listening yet.
		}
		await sleep(200);
	}
	return `n8n was not ready after ${bootSeconds} seconds`;
}

async function tail(file: string): Promise<string> {
	return (await readFile(file, 'utf8')).trim().split('\n').slice(-15).join('\n');
}
