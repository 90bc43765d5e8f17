import type { IDataObject, IExecuteFunctions, INode, IWorkflowBase } from 'n8n-workflow';

import { BadInput, Failed, settle, unwrap } from '../failures/failures';
import { endSentence } from '../failures/text';
import { COLUMNS, type StoredRow } from './purchaseTable';

export type CallingContext = Pick<
	IExecuteFunctions,
	'executeWorkflow' | 'getExecutionId' | 'getWorkflow'
>;

/** Ids of tables by workflow and name. */
const knownIds = new Map<string, string>();

/** n8n refuses to return rows if their number changes while it reads them (2.40.3, 1.123.81). */
const CHANGED_MEANWHILE = 'changed during pagination';
const MOST_REREADS = 10;

/** The last call on n8n 1, which shares one SQLite connection: its transactions must not meet (1.123.81). */
let lastCall: Promise<unknown> = Promise.resolve();

/** n8n 1.123.81 does not have this function. */
export function isVersion2(context: object): boolean {
	return 'executeAgent' in context;
}

/**
 * Finds a data table, or makes it if there is none, with the first call.
 * @param wanted Its name, or its id. n8n 1 knows tables by their id only.
 * @returns Runs row operations of the Data Table node, one after the other; the first one for each of the
 *   items, if there are any. Returns the rows of the last one, and throws BadInput if the table can't be used.
 */
export function namedTable(context: CallingContext, wanted: string) {
	const isOn2 = isVersion2(context);
	const { id: workflowId = '' } = context.getWorkflow();
	const key = JSON.stringify([workflowId, wanted]);
	let wasReached = false;

	/** Runs Data Table nodes with these parameters inside the execution. */
	async function run(
		steps: readonly IDataObject[],
		items: readonly IDataObject[] = [],
	): Promise<IDataObject[]> {
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

	async function findId(): Promise<string> {
		const known = isOn2 ? knownIds.get(key) : wanted;
		if (known !== undefined) return known;
		// n8n's own filter knows no ids and, with SQLite, no capitals but English ones (2.40.3).
		const all = await run([{ resource: 'table', operation: 'list', returnAll: true }]);
		const columns = { column: COLUMNS.map((name) => ({ name, type: 'string' })) };
		const create = { resource: 'table', operation: 'create', tableName: wanted, columns };
		const found = all.find((table) => [table.id, table.name].includes(wanted));
		const id = (found ?? (await run([create]))[0])?.id as string;
		knownIds.set(key, id);
		return id;
	}

	async function call(steps: IDataObject[], items?: IDataObject[]): Promise<StoredRow[]> {
		const dataTableId = { __rl: true, mode: 'id', value: await findId() };
		const complete = steps.map((step) => ({ ...step, resource: 'row', dataTableId }));
		for (let rereads = 0; ; rereads++) {
			const outcome = await settle(run(complete, items));
			const message = 'failure' in outcome ? new Failed(outcome.failure).message : '';
			if (rereads < MOST_REREADS && message.includes(CHANGED_MEANWHILE)) continue;
			// n8n 1 returns dates as objects.
			return JSON.parse(JSON.stringify(unwrap(outcome))) as StoredRow[];
		}
	}

	return async (...given: Parameters<typeof call>): Promise<StoredRow[]> => {
		let outcome = await settle(call(...given));
		if ('failure' in outcome && !wasReached && isOn2) {
			// It may have been deleted since an earlier run, or another run may have been faster to make it.
			knownIds.delete(key);
			outcome = await settle(call(...given));
		}
		if ('value' in outcome) {
			wasReached = true;
			return outcome.value;
		}
		const advice = isOn2
			? "Nothing was sent. In 'Purchase Log', enter a new name, and the node creates the table."
			: "Nothing was sent. In 'Purchase Log', enter the ID of a data table, because n8n 1 does not know it by name.";
		throw new BadInput(
			`The purchase log "${wanted}" can't be used: ${endSentence(new Failed(outcome.failure).message)}`,
			`${advice} It needs these text columns: ${COLUMNS.join(', ')}.`,
		);
	};
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
