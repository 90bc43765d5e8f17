import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { oneOf, promptText, trueOrFalse, wholeNumber, type Range } from './readValue';

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

/** What the panel shows for any kind of field. */
type Shown = Pick<INodeProperties, 'displayName'> & Partial<Omit<INodeProperties, 'name' | 'type'>>;

/** A switch, off by default. An expression may also return the text `true` or `false`. */
export function boolean(shown: Shown): Field<boolean> {
	return {
		property: { default: false, ...shown, type: 'boolean' },
		read: (value) => trueOrFalse(shown.displayName, value),
	};
}

/**
 * A whole number. Sets no `minValue` or `maxValue`: the editor silently replaces a number outside them
 * (n8n 2.40.3). The check before the run names the allowed range instead.
 */
export function number({
	range,
	description,
	...shown
}: Omit<Shown, 'description'> & {
	default: number;
	range: Range;
	/** Receives the range and the default as text. */
	description: (range: string) => string;
}): Field<number> {
	const { min, max } = range;
	const text = max === Infinity ? `${min} or more` : `${min} to ${max}, default ${shown.default}`;
	return {
		property: { ...shown, description: description(text), type: 'number' },
		read: (value) => wholeNumber(shown.displayName, value, range),
	};
}

/** One line of text, trimmed. Anything but text, a number or a boolean counts as empty. */
export function text(shown: Shown): Field<string> {
	const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
	return {
		property: { default: '', ...shown, type: 'string' },
		read: (value) => (isText(value) ? String(value).trim() : ''),
	};
}

/** Text that describes an image; may be empty unless it is required. */
export function prompt(shown: Shown): Field<string> {
	return {
		property: { default: '', typeOptions: { rows: 4 }, ...shown, type: 'string' },
		read: (value) =>
			value === '' && shown.required !== true ? '' : promptText(shown.displayName, value),
	};
}

/** A list of values with their names in the panel; the first is the default. */
export function choice<const Value extends string>({
	values,
	...shown
}: Shown & {
	values: Record<Value, string | Omit<INodePropertyOptions, 'value'>>;
}): Field<Value> {
	const allowed = Object.keys(values) as Value[];
	const options = allowed.map((value) => {
		const entry: string | Omit<INodePropertyOptions, 'value'> = values[value];
		return { ...(typeof entry === 'string' ? { name: entry } : entry), value };
	});
	return {
		property: { default: allowed[0], ...shown, type: 'options', options },
		read: (value) => oneOf(shown.displayName, value, allowed),
	};
}

/** An option that has no value unless it is added, whatever the panel offers then. */
export function optional<Value>(field: Field<Value>): Field<Value | undefined> {
	return { ...field, unset: undefined };
}
