/** Runs one step of a script. Prints its title, then how long it took. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	console.log(`${title} …`);
	const started = Date.now();
	const result = await work();
	console.log(`  done in ${Math.round((Date.now() - started) / 1000)} s`);
	return result;
}
