import type { INodeProperties } from 'n8n-workflow';

import { choice, propertiesOf } from '../fields/field';
import { edit } from './edit';
import { generate } from './generate';
import type { Operation } from './operation';
import { removeBackground } from './removeBackground';

/** All operations by the values that saved workflows contain, in the order that n8n lists them. */
export const operations = { generate, removeBackground, edit };

const entries = Object.entries<Operation>(operations);

const choices = {
	/**
	 * The only resource, in the Settings tab. n8n names a new node after its action, such as "Remove
	 * background", only if the operation depends on a resource (2.41.1, 1.123.81). The types that n8n
	 * generates for its builders tell the operations apart only if the resource is not hidden (2.41.1).
	 */
	resource: choice({
		displayName: 'Resource',
		values: { image: { name: 'Image' } },
		noDataExpression: true,
		isNodeSetting: true,
	}),
	operation: choice({
		displayName: 'Operation',
		values: Object.fromEntries(
			entries.map(([value, { name, action, description }]) => [
				value,
				{ name, action, description },
			]),
		),
		noDataExpression: true,
		displayOptions: { show: { resource: ['image'] } },
	}),
};

/** The fields that choose the operation, and those of each operation, shown only for it. */
export const operationFields = [
	...propertiesOf(choices),
	...entries.flatMap(([value, { fields }]) =>
		propertiesOf(fields).map((field) => shownFor('operation', [value], field)),
	),
];

const ownOptions = Object.fromEntries(
	entries.flatMap(([, { options }]) => Object.entries(options)),
);

/** Options that not all operations have. Each stands once: n8n's builders know no conditions here (2.40.3). */
export const operationOptions = propertiesOf(ownOptions).map((option) => {
	const uses = entries.filter(([, { options }]) => option.name in options);
	const values = uses.map(([value]) => value);
	return shownFor('/operation', values, option);
});

function shownFor(condition: string, values: string[], property: INodeProperties): INodeProperties {
	// First, because n8n looks at no further condition after one on an expression (2.40.3, 1.123.81).
	const show = { [condition]: values, ...property.displayOptions?.show };
	return { ...property, displayOptions: { show } };
}

/** @throws BadInput if no operation has this value. */
export function operationOf(value: unknown): Operation {
	return operations[choices.operation.read(value) as keyof typeof operations];
}
