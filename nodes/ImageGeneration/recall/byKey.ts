/** Finds things by each of their keys, in order. */
export function byKey<Keyed extends { keys: readonly string[] }>(
	all: readonly Keyed[],
): Map<string, Keyed[]> {
	const found = new Map<string, Keyed[]>();
	for (const each of all) {
		for (const key of each.keys) {
			const same = found.get(key);
			if (same === undefined) found.set(key, [each]);
			else same.push(each);
		}
	}
	return found;
}
