import { z } from 'zod';

const unlimited = Number.MAX_SAFE_INTEGER;

/**
 * Checks a value that came from outside.
 *
 * @param what names the whole value in a message, such as "A rate limit"
 * @throws Error that names the field, its value and what is allowed
 */
export function check<Output>(
	what: string,
	schema: z.ZodType<Output, z.ZodTypeDef, unknown>,
	value: unknown,
): Output {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const { issues } = result.error;
	const unknown = issues.find(({ code }) => code === 'unrecognized_keys');
	const issue = unknown ?? issues[0];
	if (!issue) throw result.error;
	throw new Error(sentence(what, issue, value));
}

/** A schema of an object that may have only these fields. */
export function fieldsOf<Shape extends z.ZodRawShape>(shape: Shape) {
	const fields = Object.keys(shape).join(', ');
	return z
		.object(shape, { errorMap: ({ code }) => ({ message: messageFor(code, fields) }) })
		.strict();
}

function messageFor(code: z.ZodIssueCode, fields: string): string {
	return code === 'unrecognized_keys' ? fields : `an object with ${fields}`;
}

/** A schema of an integer; the message says the range. */
export function integer(min = 0, max = unlimited) {
	const range = max === unlimited ? `of at least ${min}` : `from ${min} to ${max}`;
	return z
		.number(allowed(`an integer ${range}`))
		.int()
		.min(min)
		.max(max);
}

/** Options of a schema whose every message says what is allowed, as the end of a sentence. */
export function allowed(what: string) {
	return { errorMap: () => ({ message: what }) };
}

function sentence(what: string, issue: z.ZodIssue, root: unknown): string {
	if (issue.code === 'unrecognized_keys') {
		const [field = ''] = issue.keys;
		return `${what} has no field ${JSON.stringify(field)}; its fields are ${issue.message}.`;
	}
	const name = issue.path.length === 0 ? what : issue.path.join('.');
	return `${name} is ${quote(valueAt(issue.path, root))}; it must be ${issue.message}.`;
}

function valueAt(path: readonly (string | number)[], root: unknown): unknown {
	let value = root;
	for (const step of path) {
		if (typeof value !== 'object' || value === null) return undefined;
		value = Reflect.get(value, step);
	}
	return value;
}

function quote(value: unknown): string {
	if (value === undefined) return 'missing';
	if (typeof value === 'number') return String(value);
	const text = JSON.stringify(value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
