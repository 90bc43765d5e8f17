import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { asNumber, notAllowed, oneOf, requiredText } from './readValue';

/** A field or an option: what the panel shows, and how its value is read. */
export interface Field<Value = unknown> {
	property: Omit<INodeProperties, 'name'>;
	/** @throws BadInput if the value is invalid. */
	read: (value: unknown) => Value;
	/** The value of an option that was not added, if it is not the panel's default. */
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
	const entries = Object.entries(options).map(([name, { read, unset, property }]) => {
		const value = valueOf(name) ?? undefined;
		return [name, value === undefined ? (unset ?? read(property.default)) : read(value)];
	});
	return Object.fromEntries(entries) as ValuesOf<F>;
}

/** What the panel shows for any kind of field. */
type Shown = Pick<INodeProperties, 'displayName'> & Partial<Omit<INodeProperties, 'name' | 'type'>>;

/** A switch, off by default. An expression may also return the text `true` or `false`. */
export function boolean(shown: Shown): Field<boolean> {
	return {
		property: { default: false, ...shown, type: 'boolean' },
		read: (value) => {
			if (typeof value === 'boolean') return value;
			return oneOf(shown.displayName, value, ['true', 'false']) === 'true';
		},
	};
}

/**
 * A whole number. Sets no `minValue` or `maxValue`: the editor silently replaces a number outside them
 * (n8n 2.40.3). The check before the run names the allowed range instead.
 */
export function number({
	range: { min, max, unit },
	description,
	...shown
}: Omit<Shown, 'description'> & {
	default: number;
	range: { min: number; max: number; unit?: string };
	/** Receives the range and the default as text. */
	description: (range: string) => string;
}): Field<number> {
	const text = max === Infinity ? `${min} or more` : `${min} to ${max}, default ${shown.default}`;
	return {
		property: { ...shown, description: description(text), type: 'number' },
		read: (value) => {
			const number = asNumber(value);
			if (Number.isInteger(number) && number >= min && number <= max) return number;
			const kind = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
			const range = max === Infinity ? `, ${min} or more` : ` from ${min} to ${max}`;
			throw notAllowed(`'${shown.displayName}'`, value, kind + range);
		},
	};
}

/** One line of text, trimmed. A list or an object counts as empty. */
export function text(shown: Shown): Field<string> {
	return {
		property: { default: '', ...shown, type: 'string' },
		read: (value) => (typeof value === 'object' ? '' : String(value as unknown).trim()),
	};
}

/** Text that describes an image; may be empty unless it is required. */
export function prompt(shown: Shown): Field<string> {
	return {
		property: { default: '', typeOptions: { rows: 4 }, ...shown, type: 'string' },
		read: (value) => {
			if (value === '' && shown.required !== true) return '';
			const text = requiredText(shown.displayName, value);
			// What an expression inserts into text for a missing value.
			const isMissing = ['undefined', 'null', 'NaN'].includes(text.trim());
			if (!isMissing && !text.includes('[object Object]')) return text;
			throw new BadInput(
				`'${shown.displayName}' is ${quote(text)}. An expression found no value there, or one that is not text.`,
				'Check the names in the expression, or filter out items without this value before this node.',
			);
		},
	};
}

/** A value's name in the panel, and more about it. */
type Entry = Omit<INodePropertyOptions, 'value'>;

/** A list of values with their names in the panel; the first is the default. */
export function choice<const Value extends string>({
	values,
	...shown
}: Shown & { values: Record<Value, string | Entry> }): Field<Value> {
	const allowed = Object.keys(values) as Value[];
	const options = allowed.map((value) => {
		const entry: string | Entry = values[value];
		return { ...(typeof entry === 'string' ? { name: entry } : entry), value };
	});
	return {
		property: { default: allowed[0], ...shown, type: 'options', options },
		read: (value) => oneOf(shown.displayName, value, allowed),
	};
}
