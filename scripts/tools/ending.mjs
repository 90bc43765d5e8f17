import { constants } from 'node:os';

/** @type {(() => void | Promise<void>)[]} */
const cleanups = [];
let ending = false;

/**
 * Runs when the process ends on purpose or by a signal, last one first.
 * @param {() => void | Promise<void>} cleanup
 */
export function atEnd(cleanup) {
	cleanups.push(cleanup);
}

/**
 * Cleans up and exits. Called again, it exits at once: a second Ctrl-C is meant.
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

/** True from the moment that `end` was called: what fails now fails because of it. */
export function isEnding() {
	return ending;
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
	process.on(signal, () => void end(128 + constants.signals[signal]));
}

/**
 * Ends when whoever started this process is gone. npm 11 hands SIGTERM to the shell between the two
 * only, and dash dies of it without telling anyone.
 */
export function endWithParent() {
	if (process.env.npm_lifecycle_event === undefined) return;
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) void end(128 + constants.signals.SIGTERM);
	}, 500).unref();
}
