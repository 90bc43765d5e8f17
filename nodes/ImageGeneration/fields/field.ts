import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isBlank } from '../values/text';
import {
	asNumber,
	notAllowed,
	oneOf,
	requiredPrompt,
	requiredText,
	type Choice,
} from './readValue';

/** A field or an option: what the panel shows, and how its value is read. */
export interface Field<Value = unknown> {
	property: Omit<INodeProperties, 'name'>;
	/** @throws BadInput if the value is invalid. */
	read: (value: unknown) => Value;
	/** The value of an option that was not added. n8n gives every field a value. */
	absent: unknown;
}

/** An option that has no value unless it was added. Nothing is sent for it then. */
export interface OptionalField<Value = unknown> extends Field<Value | undefined> {
	absent: undefined;
}

/** Fields or options by the names that saved workflows contain. */
export type Fields = Record<string, Field>;

/** Options of operations, by the names that saved workflows contain. `textParts` sends their values. */
export type OptionalFields = Record<string, OptionalField>;

/** The values of fields or options. A field that is hidden has none. */
export type ValuesOf<F extends Fields> = { [Name in keyof F]: ReturnType<F[Name]['read']> };

/** Hides what does nothing on the tool of an AI agent (2.40.3, 1.123.81). */
export const NOT_ON_TOOL = { '@tool': [false] };

/** The entries of n8n's panel. */
export function propertiesOf(fields: Fields): INodeProperties[] {
	return Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));
}

/**
 * Reads and checks all fields but hidden ones. Their conditions may name only fields before them.
 * @param valueOf Reads a value. `absent` is that of an option that was not added.
 * @throws BadInput if a value is invalid.
 */
export function readFields<F extends Fields>(
	fields: F,
	valueOf: (name: string, absent: unknown, property: Field['property']) => unknown,
): ValuesOf<F> {
	const values: Record<string, unknown> = {};
	for (const [name, { property, read, absent }] of Object.entries(fields)) {
		const conditions = Object.entries<unknown[] | undefined>(property.displayOptions?.show ?? {});
		// Those on other values, such as `@tool`, concern only the panel.
		const isShown = conditions.every(
			([other, allowed]) => !(other in fields) || allowed?.includes(values[other]),
		);
		if (isShown) values[name] = read(valueOf(name, absent, property));
	}
	return values as ValuesOf<F>;
}

/**
 * Makes an option that has no value unless it was added, so that nothing is sent for it. The panel's default
 * is only what it shows at first.
 */
export function optional<Value>({ property, read }: Field<Value>): OptionalField<Value> {
	return {
		property,
		absent: undefined,
		read: (value) => (value === undefined ? undefined : read(value)),
	};
}

/** What the panel shows for any kind of field. */
type Shown = Pick<INodeProperties, 'displayName'> & Partial<Omit<INodeProperties, 'name' | 'type'>>;

const SWITCH: Array<Choice<'true' | 'false'>> = [
	{ value: 'true', name: 'True' },
	{ value: 'false', name: 'False' },
];

/** A switch, off by default. An expression may also return the text `true` or `false`. */
export function boolean(shown: Shown): Field<boolean> {
	return {
		property: { default: false, ...shown, type: 'boolean' },
		absent: shown.default ?? false,
		read: (value) => {
			if (typeof value === 'boolean') return value;
			return oneOf(shown.displayName, value, SWITCH) === 'true';
		},
	};
}

/** A switch among the options: on when it is added, because who adds it means it, and off without it. */
export function switchOption(shown: Shown): Field<boolean> {
	return { ...boolean({ ...shown, default: true }), absent: false };
}

/**
 * A whole number. Sets no `minValue` or `maxValue`: the editor silently replaces a number outside them
 * (n8n 2.40.3). The check before the run names the allowed range instead. The default is
 * what the panel shows first, and what an added option sends: that of the service, if it is known. Without
 * one it is the smallest number, because n8n needs one to show.
 */
export function wholeNumber({
	range: { min, max, unit },
	description,
	...shown
}: Omit<Shown, 'description'> & {
	default?: number;
	range: { min: number; max: number; unit?: string };
	/** Receives the range and the default as text; no default if the option is a limit or has none. */
	description: (range: string) => string;
}): Field<number> {
	const preset = shown.default === undefined ? '' : `, default ${shown.default}`;
	const rangeText = max === Infinity ? `${min} or more` : `${min} to ${max}${preset}`;
	return {
		property: { default: min, ...shown, description: description(rangeText), type: 'number' },
		// A number without an upper end is a limit, such as Max Images: without the option there is none.
		absent: max === Infinity ? max : shown.default,
		read: (value) => {
			const parsed = asNumber(value);
			// Infinity is a limit that was not added.
			const isWhole = Number.isInteger(parsed) || parsed === Infinity;
			if (isWhole && parsed >= min && parsed <= max) return parsed;
			const kind = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
			const allowed = max === Infinity ? `, ${min} or more` : ` from ${min} to ${max}`;
			throw notAllowed(`'${shown.displayName}'`, value, kind + allowed);
		},
	};
}

/** Text, with a reader of its own, which receives the name that the panel shows. */
export function text<Value>(
	read: (field: string, value: unknown) => Value,
	shown: Shown,
): Field<Value> {
	return {
		property: { default: '', ...shown, type: 'string' },
		absent: shown.default ?? '',
		read: (value) => read(shown.displayName, value),
	};
}

/** Text that describes an image; may be empty unless it is required. */
export function prompt(shown: Shown): Field<string> {
	const read = (field: string, value: unknown): string => {
		if (shown.required === true) return requiredPrompt(field, value);
		return typeof value === 'string' && isBlank(value) ? '' : requiredText(field, value);
	};
	return text(read, { typeOptions: { rows: 4 }, ...shown });
}

/** A list of values with what the panel says of each; the first is the default. */
export function choice<const Value extends string>({
	values,
	...shown
}: Shown & { values: Record<Value, Omit<INodePropertyOptions, 'value'>> }): Field<Value> {
	const allowed = Object.keys(values) as Value[];
	const options = allowed.map((value) => ({ ...values[value], value }));
	return {
		property: { default: allowed[0], ...shown, type: 'options', options },
		absent: shown.default ?? allowed[0],
		read: (value) => oneOf(shown.displayName, value ?? '', options),
	};
}
