/**
 * Lists what saved workflows rely on and `after` no longer has. Additions break nothing; anything
 * removed or changed needs a new version of the node (docs/development/versioning.md).
 */
export function breakingChanges(before: unknown, after: unknown): string[] {
	const kept = new Set(promisesOf(after));
	return promisesOf(before).filter((promise) => !kept.has(promise));
}

/** What saved workflows rely on, one line each: `node.parameters.size.default = "512x512"`. */
function promisesOf(shape: unknown, path: string[] = []): string[] {
	if (Array.isArray(shape)) {
		return shape.flatMap((item) => promisesOf(item, [...path, nameOf(item)]));
	}
	if (typeof shape === 'object' && shape !== null && Object.keys(shape).length > 0) {
		return Object.entries(shape).flatMap(([key, value]) => promisesOf(value, [...path, key]));
	}
	return [`${path.join('.')} = ${JSON.stringify(shape)}`];
}

/**
 * Parameters with the same name differ in when they are shown. Restrictions are part of the name
 * here, so that adding one counts as breaking the unrestricted parameter.
 */
function nameOf(item: unknown): string {
	if (typeof item !== 'object' || item === null || !('name' in item)) return plain(item);
	const { name, show, hide, required, noDataExpression } = item as Record<string, unknown>;
	const limits = [
		show && `shown for ${conditions(show)}`,
		hide && `hidden for ${conditions(hide)}`,
		required && 'required',
		noDataExpression && 'without expressions',
	].filter(Boolean);
	return `${String(name)}${limits.length === 0 ? '' : ` (${limits.join('; ')})`}`;
}

function conditions(rule: unknown): string {
	return Object.entries(rule as Record<string, unknown[]>)
		.map(([field, values]) => `${field} ${values.map(plain).join(' or ')}`)
		.join(', ');
}

/** n8n's conditions are objects: `{ "_cnd": { "startsWith": "=" } }`. */
function plain(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
