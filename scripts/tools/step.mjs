/**
 * Runs one step of a script. Prints its title, the time every ten seconds, then how long it took.
 *
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
	console.log(`${title} …`);
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const timer = setInterval(() => console.log(`  … ${seconds()} s`), 10_000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
		console.log(`  done in ${seconds()} s`);
	}
}
