/**
 * Starts something for a file's tests and closes it after them.
 * @returns a function that gives it once they run
 */
export function useStarted<T extends { close(): unknown }>(start: () => Promise<T>): () => T {
	let started: T | undefined;
	beforeAll(async () => {
		started = await start();
	});
	afterAll(async () => {
		await started?.close();
	});
	return () => {
		if (started === undefined) throw new Error('It is not up yet');
		return started;
	};
}
