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

/** A running process of n8n with its children. */
export interface N8nProcess {
	/** What it prints goes here. */
	log: string;
	/** Resolves with a sentence if it ends without having been asked to. */
	died: Promise<string>;
	/** Asks it to end, and makes it after a while. Resolves when it is gone. */
	stop: () => Promise<void>;
	/** Ends it at once, as a power cut would. */
	kill: () => Promise<void>;
}

/** What is to be started. */
export interface Command {
	/** `start` or `worker`, with its options. */
	args: readonly string[];
	/** Settings by the names of their environment variables, over those of the place. */
	settings: NodeJS.ProcessEnv;
	/** Whether it is ready; asked until it is. It may throw as long as nothing listens. */
	isReady: () => Promise<boolean>;
	/** How long it may take to end when asked to, default 15 seconds. */
	graceMs?: number;
}

const bootSeconds = 180;

/** Starts n8n and waits until it is ready. It is stopped when this process ends. */
export async function startN8n(
	host: Host,
	place: Place,
	{ args, settings, isReady, graceMs = 15_000 }: Command,
): Promise<N8nProcess> {
	rmSync(temporary(place), { recursive: true, force: true });
	mkdirSync(temporary(place), { recursive: true });
	const log = join(place.folder, 'n8n.log');
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
			if (!stopping) resolve(`n8n ended with ${code ?? 'a signal'}`);
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
	const reason = await Promise.race([died, becomes(isReady, waiting.signal)]);
	waiting.abort();
	if (reason !== undefined) {
		await stop();
		throw new PlainError(`${reason}. The last it said (all of it: ${log}):\n${await tail(log)}`);
	}
	return { log, died, stop, kill };
}

/** Resolves with nothing as soon as n8n is ready, or with a sentence when that takes too long. */
async function becomes(
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
