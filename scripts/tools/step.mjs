/**
 * Runs one step of a script. Prints its title, then how long it took.
 *
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
	console.log(`${title} …`);
	const started = Date.now();
	const result = await work();
	console.log(`  done in ${Math.round((Date.now() - started) / 1000)} s`);
	return result;
}
