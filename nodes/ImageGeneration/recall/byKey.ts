/** Finds entries by each of their keys, in order. */
export function byKey<Entry extends { keys: readonly string[] }>(
	entries: readonly Entry[],
): Map<string, Entry[]> {
	const found = new Map<string, Entry[]>();
	for (const entry of entries) {
		for (const key of entry.keys) {
			const same = found.get(key);
			if (same === undefined) found.set(key, [entry]);
			else same.push(entry);
		}
	}
	return found;
}
