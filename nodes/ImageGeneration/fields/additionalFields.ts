import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import { propertiesOf, text, type Fields } from './field';
import { CHOOSE_TEXT } from './readValue';

const NAME = 'Additional Fields';

/** Text parts that the node itself does not have, sent as they are. */
export const additionalFieldsOption = {
	additionalFields: {
		property: {
			displayName: NAME,
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
						name: text({
							displayName: 'Name',
							placeholder: 'e.g. seed',
							description: "The field's name in your service's documentation",
						}),
						value: text({
							displayName: 'Value',
							placeholder: 'e.g. 42',
							description: 'The text to send',
						}),
					}),
				},
			],
		},
		read: (value) => [(Object(value) as { field?: unknown }).field ?? []].flat(),
	},
} satisfies Fields;

/**
 * Adds them to the text parts of a request.
 * @throws BadInput if a name is empty, repeated or one that the node sends itself, or if a value is not
 * text.
 */
export function withAdditionalFields(
	textParts: Record<string, string>,
	entries: readonly unknown[],
): Record<string, string> {
	const added = new Map<string, string>();
	for (const entry of entries) {
		const { name, value } = Object(entry) as Record<string, unknown>;
		const key = textOf(name).trim();
		if (key === '')
			throw new BadInput(`A name in '${NAME}' is empty.`, 'Name the field, or remove it.');
		if (added.has(key))
			throw new BadInput(`'${NAME}' contains ${quote(key)} twice.`, 'Remove one of them.');
		if (key === 'image' || Object.hasOwn(textParts, key))
			throw new BadInput(
				`'${NAME}' contains ${quote(key)}, which the node sends itself.`,
				"Remove it, and use the node's own fields.",
			);
		added.set(key, textOf(value));
	}
	return { ...textParts, ...Object.fromEntries(added) };
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (value === undefined || value === null) return '';
	throw new BadInput(`'${NAME}' contains ${quote(value)}, which is not text.`, CHOOSE_TEXT);
}
