import { constants } from 'node:os';

/** @type {(() => void | Promise<void>)[]} */
const cleanups = [];
let ending = false;

/**
 * Adds a cleanup to run when the process ends, whether by `end` or a signal. Last in, first out.
 * @param {() => void | Promise<void>} cleanup
 */
export function atEnd(cleanup) {
	cleanups.push(cleanup);
}

/**
 * Cleans up and exits. A second call, such as a second Ctrl-C, exits at once.
 * @param {number} code
 * @returns {Promise<never>}
 */
export async function end(code) {
	if (ending) process.exit(code);
	ending = true;
	for (const cleanup of cleanups.reverse()) {
		try {
			await cleanup();
		} catch (error) {
			console.error(error instanceof Error ? error.message : error);
		}
	}
	process.exit(code);
}

/** Whether `end` was called. What fails from then on fails because of it. */
export function isEnding() {
	return ending;
}

/** @param {'SIGINT' | 'SIGTERM' | 'SIGHUP'} signal */
const onSignal = (signal) => void end(128 + constants.signals[signal]);
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** @type {NodeJS.Timeout | undefined} */
let watch;

/** From now on, a signal cleans up and ends this process. */
export function handleSignals() {
	for (const signal of signals) process.on(signal, onSignal);
	if (process.env.npm_lifecycle_event === undefined) return;
	// npm 11.19 sends SIGTERM only to the shell in between, and dash exits without passing it on: n8n would keep running
	// and hold its port.
	const parent = process.ppid;
	watch = setInterval(() => {
		if (process.ppid !== parent) onSignal('SIGTERM');
	}, 500).unref();
}

/** Leaves signals to the program that runs next in this process. */
export function ignoreSignals() {
	for (const signal of signals) process.off(signal, onSignal);
	clearInterval(watch);
}
