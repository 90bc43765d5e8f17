import type { IDataObject, IExecuteFunctions, INode, IWorkflowBase } from 'n8n-workflow';

import { settle } from '../failures/outcome';
import type { Condition, PurchaseRow } from './purchaseTable';

export type CallingContext = Pick<
	IExecuteFunctions,
	'executeWorkflow' | 'getExecutionId' | 'getWorkflow'
>;

/** The last call on n8n 1, which shares one SQLite connection: its transactions must not meet (1.123.81). */
let lastCall: Promise<unknown> = Promise.resolve();

/** n8n 1.123.81 does not have this function. */
export function isVersion2(context: object): boolean {
	return 'executeAgent' in context;
}

/**
 * Runs Data Table nodes inside an execution.
 * @param steps Their parameters. @param items The input of the first one, which runs for each.
 * @returns the rows of the last one
 */
export async function runInline(
	context: CallingContext,
	steps: ReadonlyArray<IDataObject & { resource: 'row' | 'table' }>,
	items: readonly IDataObject[] = [],
): Promise<IDataObject[]> {
	const isOn2 = isVersion2(context);
	const { id: workflowId = '' } = context.getWorkflow();
	const execute = async () =>
		await context.executeWorkflow(
			{ code: inlineWorkflow(steps) },
			items.length === 0 ? [{ json: {} }] : items.map((json) => ({ json })),
			undefined,
			{ parentExecution: { executionId: context.getExecutionId(), workflowId } },
		);
	const executed = isOn2 ? execute() : lastCall.then(execute);
	if (!isOn2) lastCall = settle(executed);
	const { data } = await executed;
	return (data[0] ?? []).map(({ json }) => json).filter(({ id }) => id !== undefined);
}

/** A workflow of Data Table nodes that leaves no trace in the list of executions. */
function inlineWorkflow(steps: readonly IDataObject[]): IWorkflowBase {
	const nodes: INode[] = steps.map((parameters, index) => ({
		...{ id: `${index}`, name: `Table ${index}`, type: 'n8n-nodes-base.dataTable' },
		...{ typeVersion: 1, position: [0, 0], parameters: { options: {}, ...parameters } },
		executeOnce: index > 0,
		alwaysOutputData: true,
	}));
	const start: INode = {
		...{ id: 'start', name: 'Start', type: 'n8n-nodes-base.executeWorkflowTrigger' },
		...{ typeVersion: 1.1, position: [0, 0], parameters: { inputSource: 'passthrough' } },
	};
	const to = ({ name }: INode) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	return {
		name: 'Purchase Log',
		nodes: [start, ...nodes],
		connections: Object.fromEntries(
			nodes.map((node, index) => [nodes[index - 1]?.name ?? 'Start', to(node)]),
		),
		settings: {
			...{ executionOrder: 'v1', callerPolicy: 'any' },
			...{ saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' },
		},
	} as unknown as IWorkflowBase;
}

/** Conditions of which only a data table knows some. */
export type Conditions = ReadonlyArray<Condition | readonly ['id', 'gt' | 'lte', number]>;

/** Which rows. n8n evaluates values that begin with `=`, which come from this folder's code alone. */
export function conditions(list: Conditions, matchType = 'allConditions'): IDataObject {
	const named = list.map(([keyName, condition, keyValue]) => ({ keyName, condition, keyValue }));
	return { matchType, filters: { conditions: named } };
}

/** @param value What rows become, or an expression for it. */
export function update(value: Partial<PurchaseRow> | string): IDataObject {
	return { operation: 'update', columns: { mappingMode: 'defineBelow', value } };
}
