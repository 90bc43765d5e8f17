import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 100;

/**
 * Waits until a condition holds.
 * @param what describes the condition in the error
 * @param seconds maximum wait, 120 by default
 * @param longestPauseMs up to which the pauses between two looks grow; by default they don't
 */
export async function until(
	what: string,
	holds: () => Promise<boolean> | boolean,
	seconds = 120,
	longestPauseMs = FIRST_PAUSE_MS,
): Promise<void> {
	const deadline = Date.now() + seconds * 1000;
	let pauseMs = FIRST_PAUSE_MS;
	while (!(await holds())) {
		if (Date.now() > deadline) throw new Error(`Not so after ${seconds} seconds: ${what}`);
		await sleep(pauseMs);
		pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
	}
}

/** Waits until a condition holds that n8n is asked for, less and less often, because each answer is work for it. */
export async function untilN8n(what: string, holds: () => Promise<boolean>): Promise<void> {
	await until(what, holds, 120, 500);
}

/** Waits until n8n's log has these words. */
export async function untilLogged(log: string, words: string): Promise<void> {
	await until(`the log says "${words}"`, async () => (await readFile(log, 'utf8')).includes(words));
}
