// Below jest's own limit, so that the message says what was waited for.
const PATIENCE = 55_000;

/**
 * Waits until something has happened, looking every few milliseconds.
 * @throws Error when it never does.
 */
export async function until(condition: () => boolean): Promise<void> {
	const deadline = performance.now() + PATIENCE;
	while (!condition()) {
		if (performance.now() > deadline) throw new Error(`Never came true: ${String(condition)}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}
