/**
 * Finds a text in a value and everything it references, including hidden properties, error causes,
 * keys, maps and bytes.
 * @returns the paths to it
 */
export function findText(root: unknown, text: string): string[] {
	const found: string[] = [];
	const seen = new Set<unknown>();
	const stack: Array<[path: string, value: unknown]> = [['', root]];
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		const [path, value] = next;
		if (typeof value === 'string') {
			if (value.includes(text)) found.push(path);
			continue;
		}
		if (typeof value !== 'object' || value === null || seen.has(value)) continue;
		seen.add(value);
		if (value instanceof Uint8Array) {
			if (Buffer.from(value).includes(text)) found.push(path);
		} else if (value instanceof Map || value instanceof Set) {
			stack.push([`${path}.entries`, [...value.entries()]]);
		} else {
			for (const key of Reflect.ownKeys(value)) {
				const name = `${path}.${String(key)}`;
				if (name.includes(text)) found.push(name);
				else stack.push([name, Object.getOwnPropertyDescriptor(value, key)?.value]);
			}
		}
	}
	return found;
}
