import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';
import { edit } from './edit';
import { generate } from './generate';
import type { Operation } from './operation';
import { removeBackground } from './removeBackground';

/** All operations, in the order that n8n lists them. */
export const operations: readonly Operation[] = [generate, removeBackground, edit];

/**
 * Hidden, but needed: n8n names a new node after its action, such as "Remove background", only if
 * the operation depends on a resource. The same goes for a tool's description (2.40.3, 1.123.81).
 */
export const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'hidden',
	noDataExpression: true,
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
export const operationFields: INodeProperties[] = operations.flatMap(({ option, fields }) =>
	updateDisplayOptions({ show: { operation: [option.value] } }, fields),
);

/** Options that not all operations have, shown only for those that do. */
export const operationOptions: INodeProperties[] = [
	...new Set(operations.flatMap(({ options = [] }) => options)),
].flatMap((entry) => {
	const owners = operations.filter(({ options = [] }) => options.includes(entry));
	const show = { '/operation': owners.map(({ option }) => option.value) };
	return updateDisplayOptions({ show }, [entry]);
});

/** @throws BadInput if no operation has this value. */
export function operationOf(value: unknown): Operation {
	const operation = operations.find(({ option }) => option.value === value);
	if (operation !== undefined) return operation;
	const allowed = operations.map(({ option }) => option.value).join(', ');
	throw new BadInput(`'Operation' is ${quote(value)}. Allowed: ${allowed}.`);
}
