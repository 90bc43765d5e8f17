import type { INodeProperties } from 'n8n-workflow';

/** A field or an option: what the panel shows, and how its value is read. */
export interface Field<Value = unknown> {
	property: Omit<INodeProperties, 'name'>;
	/** @throws BadInput if the value is invalid. */
	read: (value: unknown) => Value;
	/** The value of an option that was not added; else the panel's default. */
	unset?: Value;
}

/** Fields or options by the names that saved workflows contain. */
export type Fields = Record<string, Field>;

/** The values of fields or options. */
export type ValuesOf<F extends Fields> = { [Name in keyof F]: ReturnType<F[Name]['read']> };

/** Reads and checks a field of one item. A misspelled name does not compile. */
export type ReadField<F extends Fields> = <Name extends keyof F & string>(
	name: Name,
) => ValuesOf<F>[Name];

/** Hides what does nothing on the tool of an AI agent (2.40.3, 1.123.81). */
export const NOT_ON_TOOL = { '@tool': [false] };

/** The entries of n8n's panel. */
export function propertiesOf(fields: Fields): INodeProperties[] {
	return Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));
}

/** Returns a reader that checks each field when it is asked for, so that hidden ones are never read. */
export function fieldReader<F extends Fields>(
	fields: F,
	valueOf: (name: string) => unknown,
): ReadField<F> {
	return (name) => (fields[name] as Field<ValuesOf<F>[typeof name]>).read(valueOf(name));
}

/**
 * Reads and checks all options.
 * @throws BadInput if a value is invalid.
 */
export function readOptions<F extends Fields>(
	options: F,
	valueOf: (name: string) => unknown,
): ValuesOf<F> {
	const entries = Object.entries(options).map(([name, field]) => {
		const value = valueOf(name) ?? undefined;
		if (value === undefined && 'unset' in field) return [name, field.unset];
		return [name, field.read(value ?? field.property.default)];
	});
	return Object.fromEntries(entries) as ValuesOf<F>;
}
