import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until something holds.
 * @param what names it in the message, should it not hold in time
 * @param seconds how long to wait at most, default 120
 */
export async function until(
	what: string,
	holds: () => Promise<boolean> | boolean,
	seconds = 120,
): Promise<void> {
	const deadline = Date.now() + seconds * 1000;
	while (!(await holds())) {
		if (Date.now() > deadline) throw new Error(`Not so after ${seconds} seconds: ${what}`);
		await sleep(100);
	}
}
