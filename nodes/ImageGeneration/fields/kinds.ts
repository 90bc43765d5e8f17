import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from './field';
import { oneOf, promptText, trueOrFalse, wholeNumber, type Range } from './readValue';

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
