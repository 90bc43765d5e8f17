// Shorter than jest's own limit, so that the message names the condition.
const PATIENCE = 55_000;

/**
 * Waits until a condition holds, checking every few milliseconds.
 * @throws Error if it never does
 */
export async function until(condition: () => boolean): Promise<void> {
	const deadline = performance.now() + PATIENCE;
	while (!condition()) {
		if (performance.now() > deadline) throw new Error(`Never came true: ${String(condition)}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}
