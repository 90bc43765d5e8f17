import type { INodeProperties } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { asRecord } from '../values/asRecord';
import { quote } from '../values/text';
import { propertiesOf, text } from './field';
import { CHOOSE_TEXT, lineOfText } from './readValue';

const NAME = 'Additional Fields';

/** Text parts by their names in the specification. Those without a value, or with an empty text, are not sent. */
export type TextParts = Record<string, string | number | boolean | undefined>;

/** Text parts that the node itself does not have, sent as they are. */
export const additionalFields: INodeProperties = {
	displayName: NAME,
	name: 'additionalFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	description:
		"Send what this node has no field for, such as a seed. Your service's documentation names such fields.",
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: propertiesOf({
				name: text(lineOfText, {
					displayName: 'Name',
					placeholder: 'e.g. seed',
					description: "The field's name in your service's documentation",
				}),
				value: text(lineOfText, {
					displayName: 'Value',
					placeholder: 'e.g. 42',
					description: 'The text to send',
				}),
			}),
		},
	],
};

/**
 * The texts of added fields, as they are written and as n8n evaluated them.
 * @param written The option as the parameters have it.
 * @param option The option's value.
 */
export function addedTexts(
	written: unknown,
	option: unknown,
): Array<{ subject: string; written: unknown; value: unknown }> {
	const values = [asRecord(option).field ?? []].flat();
	return [asRecord(written).field ?? []].flat().flatMap((entry, index) => {
		const [asWritten, asRead] = [asRecord(entry), asRecord(values[index])];
		return [
			{ subject: `A name in '${NAME}'`, written: asWritten.name, value: asRead.name },
			{ subject: `A value in '${NAME}'`, written: asWritten.value, value: asRead.value },
		];
	});
}

/**
 * The text parts of a request as they are sent: the node's own that have a value, and additional fields.
 * @param option The option's value, as n8n returns it.
 * @throws BadInput if a name is empty, repeated, `image`, or one that this request has already, or if a
 * value is not text.
 */
export function partsToSend(textParts: TextParts, option: unknown): Record<string, string> {
	const { field } = asRecord(option);
	const sent: Record<string, string> = {};
	for (const [name, value] of Object.entries(textParts)) {
		if (value !== undefined && value !== '') sent[name] = String(value);
	}
	const added = new Map<string, string>();
	for (const entry of [field ?? []].flat()) {
		const { name, value } = asRecord(entry);
		const key = textOf(name).trim();
		if (key === '')
			throw new BadInput(`A name in '${NAME}' is empty.`, 'Name the field, or remove it.');
		if (added.has(key))
			throw new BadInput(`'${NAME}' contains ${quote(key)} twice.`, 'Remove one of them.');
		if (key === 'image' || Object.hasOwn(sent, key))
			throw new BadInput(
				`'${NAME}' contains ${quote(key)}, which the node sends itself.`,
				"Remove it, and use the node's own fields.",
			);
		added.set(key, textOf(value));
	}
	return { ...sent, ...Object.fromEntries(added) };
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (value === undefined || value === null) return '';
	throw new BadInput(`'${NAME}' contains ${quote(value)}, which is not text.`, CHOOSE_TEXT);
}
