import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { propertiesOf, type Fields } from '../fields/field';
import { notAllowed } from '../fields/readValue';
import { edit } from './edit';
import { generate } from './generate';
import type { Operation } from './operation';
import { removeBackground } from './removeBackground';

/** All operations, in the order that n8n lists them. */
export const operations: readonly Operation[] = [generate, removeBackground, edit];

/**
 * The only resource, in the Settings tab. n8n names a new node after its action, such as "Remove
 * background", only if the operation depends on a resource (2.40.3, 1.123.81). The types that n8n
 * generates for its builders tell the operations apart only if the resource is not hidden (2.40.3).
 */
export const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	isNodeSetting: true,
	options: [{ name: 'Image', value: 'image' }],
	default: 'image',
};

/** The field that chooses the operation. */
export const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['image'] } },
	options: operations.map(({ option }) => option),
	default: 'generate',
};

/** The fields of every operation, shown only for that operation. */
export const operationFields = shownFor('operation', ({ fields }) => fields);

/** Options that not all operations have, shown only for those that do. */
export const operationOptions = shownFor('/operation', ({ options }) => options);

/** A field that several operations share stands once, where the last of them has it. */
function shownFor(
	condition: 'operation' | '/operation',
	fieldsOf: (operation: Operation) => Fields,
): INodeProperties[] {
	const all = operations.flatMap((operation) =>
		Object.entries(fieldsOf(operation)).map(([name, field]) => ({ operation, name, field })),
	);
	return all
		.filter(({ field }, index) => !all.slice(index + 1).some((later) => later.field === field))
		.flatMap(({ name, field }) => {
			const owners = all.filter((each) => each.field === field);
			const show = { [condition]: owners.map(({ operation }) => operation.option.value) };
			return updateDisplayOptions({ show }, propertiesOf({ [name]: field }));
		});
}

/** @throws BadInput if no operation has this value. */
export function operationOf(value: unknown): Operation {
	const operation = operations.find(({ option }) => option.value === value);
	if (operation !== undefined) return operation;
	const allowed = operations.map(({ option }) => option.value).join(', ');
	throw notAllowed("'Operation'", value, allowed);
}
