import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition holds.
 * @param what describes the condition in the error
 * @param seconds maximum wait, 120 by default
 */
export async function until(what: string, holds: () => Promise<boolean> | boolean, seconds = 120) {
	const deadline = Date.now() + seconds * 1000;
	while (!(await holds())) {
		if (Date.now() > deadline) throw new Error(`Not so after ${seconds} seconds: ${what}`);
		await sleep(100);
	}
}

/** Waits until n8n's log has these words. */
export async function untilLogged(log: string, words: string): Promise<void> {
	await until(`the log says "${words}"`, async () => (await readFile(log, 'utf8')).includes(words));
}
