import type { IDataObject, IWorkflowBase } from 'n8n-workflow';

import type { Condition, Filter, LogRow } from './logTable';

/** Parameters of a Data Table node. */
export type Step = IDataObject & { resource: 'row' | 'table'; operation: string };

/** A workflow of Data Table nodes that leaves no trace in the list of executions. */
export function inlineWorkflow(steps: readonly Step[]): IWorkflowBase {
	const names = ['Start', ...steps.map((_step, index) => `Table ${index + 1}`)];
	const node = { typeVersion: 1, position: [0, 0] as [number, number] };
	return {
		name: 'Purchase Log',
		active: false,
		nodes: [
			{
				...node,
				...{ id: 'Start', name: 'Start', type: 'n8n-nodes-base.executeWorkflowTrigger' },
				...{ typeVersion: 1.1, parameters: { inputSource: 'passthrough' } },
			},
			...steps.map((step, index) => ({
				...node,
				...{ id: `${index + 1}`, name: `Table ${index + 1}`, type: 'n8n-nodes-base.dataTable' },
				parameters: { options: {}, ...step },
				// Only the first one runs for each item.
				executeOnce: index > 0,
				alwaysOutputData: true,
			})),
		],
		connections: Object.fromEntries(
			names
				.slice(1)
				.map((name, index) => [
					names[index] ?? '',
					{ main: [[{ node: name, type: 'main', index: 0 }]] },
				]),
		),
		settings: {
			...{ executionOrder: 'v1', callerPolicy: 'any' },
			...{ saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' },
		},
	} as unknown as IWorkflowBase;
}

/** Which rows. n8n evaluates values that begin with `=`, which come from the table's own code alone. */
export function conditions(filter: Filter): IDataObject {
	const isAll = 'all' in filter;
	const list: readonly Condition[] = isAll ? filter.all : filter.any;
	return {
		matchType: isAll ? 'allConditions' : 'anyCondition',
		filters: {
			conditions: list.map(([keyName, condition, keyValue]) => ({ keyName, condition, keyValue })),
		},
	};
}

/** What rows become. */
export function set(change: Partial<LogRow>): IDataObject {
	return { columns: { mappingMode: 'defineBelow', value: { ...change } } };
}
