import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';
import type { Fields } from './field';
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
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. seed',
							description: "The field's name in your service's documentation",
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							placeholder: 'e.g. 42',
							description: 'The text to send',
						},
					],
				},
			],
		},
		read: readAdditionalFields,
	},
} satisfies Fields;

/** @throws BadInput if a name is empty or repeated, or if a value is not text. */
function readAdditionalFields(value: unknown): Map<string, string> {
	const { field = [] } = Object(value) as { field?: unknown };
	const added = new Map<string, string>();
	for (const entry of [field].flat()) {
		const { name, value: text } = Object(entry) as Record<string, unknown>;
		const key = textOf(name).trim();
		if (key === '')
			throw new BadInput(`A name in '${NAME}' is empty.`, 'Name the field, or remove it.');
		if (added.has(key))
			throw new BadInput(`'${NAME}' contains ${quote(key)} twice.`, 'Remove one of them.');
		added.set(key, textOf(text));
	}
	return added;
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (value === undefined || value === null) return '';
	throw new BadInput(`'${NAME}' contains ${quote(value)}, which is not text.`, CHOOSE_TEXT);
}

/**
 * Adds them to the text parts of a request.
 * @throws BadInput for a name that the node sends itself.
 */
export function withAdditionalFields(
	textParts: Record<string, string>,
	added: ReadonlyMap<string, string>,
): Record<string, string> {
	const taken = [...added.keys()].find(
		(name) => name === 'image' || Object.hasOwn(textParts, name),
	);
	if (taken === undefined) return { ...textParts, ...Object.fromEntries(added) };
	throw new BadInput(
		`'${NAME}' contains ${quote(taken)}, which the node sends itself.`,
		"Remove it, and use the node's own fields.",
	);
}
