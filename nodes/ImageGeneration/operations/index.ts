import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

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
	 * background", only if the operation depends on a resource (2.40.3, 1.123.81). The types that n8n
	 * generates for its builders tell the operations apart only if the resource is not hidden (2.40.3).
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

/** The fields that choose the operation, and those of every operation, shown only for it. */
export const operationFields = [...propertiesOf(choices), ...shownFor('operation', 'fields')];

/** Options that not all operations have, shown only for those that do. */
export const operationOptions = shownFor('/operation', 'options');

/** A field that several operations share stands once. Each operation keeps its own order. */
function shownFor(
	condition: 'operation' | '/operation',
	kind: 'fields' | 'options',
): INodeProperties[] {
	const all = entries.flatMap(([value, operation]) =>
		Object.entries(operation[kind]).map(([name, field]) => ({ value, name, field })),
	);
	const lists = entries.map(([, operation]) => Object.values(operation[kind]));
	return mergeLists(lists).flatMap((field) => {
		const uses = all.filter((each) => each.field === field);
		return updateDisplayOptions(
			{ show: { [condition]: uses.map(({ value }) => value) } },
			propertiesOf(Object.fromEntries(uses.map(({ name }) => [name, field]))),
		);
	});
}

/** Merges lists into one that keeps the order of each. If two disagree, the earlier one decides. */
function mergeLists<Entry>(lists: readonly Entry[][]): Entry[] {
	const firsts = lists.flatMap((list) => list.slice(0, 1));
	const next = firsts.find((first) => lists.every((list) => list.indexOf(first) <= 0)) ?? firsts[0];
	if (next === undefined) return [];
	return [next, ...mergeLists(lists.map((list) => list.filter((entry) => entry !== next)))];
}

/** @throws BadInput if no operation has this value. */
export function operationOf(value: unknown): Operation {
	return operations[choices.operation.read(value) as keyof typeof operations];
}
