import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { openEarlierRuns, type EarlierRuns } from './buy/earlierRuns';
import { openLedger, type Ledger } from './buy/ledger';
import { joinPaces, type Paces } from './buy/paces';
import { purchaseLimit, type PurchaseLimit } from './buy/purchaseLimit';
import { newTally, type Tally } from './buy/tally';
import { readRunOptions, runOptionNames, type RunOptions } from './fields/options';
import { assertSupportedHost } from './plan/assertSupportedHost';
import { executionLog } from './report/executionLog';
import { loadService, type Service } from './service/service';
import type { ExecutionLog } from './types';

/** What holds for all jobs of a run. */
export interface Run extends RunOptions {
	context: IExecuteFunctions;
	node: INode;
	input: INodeExecutionData[];
	/** Tells the runs of the node in one execution apart, as a loop makes them. */
	name: string;
	service: Service;
	ledger: Ledger;
	limit: PurchaseLimit;
	/** What earlier runs of the node have bought; undefined for an agent's tool. */
	earlierRuns: EarlierRuns | undefined;
	tally: Tally;
	/** When calls may go out. */
	paces: Paces;
	/** Whether an AI agent calls the node. */
	isTool: boolean;
	/** Whether a failed job leaves the others alone. */
	continuesOnFail: boolean;
	log: ExecutionLog;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal | undefined;
}

/** @throws BadInput when n8n is too old, or the credential or an option of the run can't be used. */
export async function setUp(context: IExecuteFunctions): Promise<Run> {
	assertSupportedHost(context);
	const node = context.getNode();
	const isTool = isToolCall(context);
	const service = await loadService(context);
	const options = readRunOptions(
		// Read one by one, so that a broken expression in another option affects only its own item.
		Object.fromEntries(
			runOptionNames.map((name) => [name, context.getNodeParameter(`options.${name}`, 0, null)]),
		),
	);
	const log = executionLog(context);
	return {
		...options,
		context,
		node,
		input: context.getInputData(),
		// An agent's own loop counts each attempt of a tool as a run of its own (read in n8n 2.40.3).
		name: isTool ? 'tool' : String(context.getWorkflowDataProxy(0).$runIndex),
		service,
		ledger: openLedger(context),
		limit: purchaseLimit(context.getContext('node'), options.maxImages),
		earlierRuns: openEarlierRuns({ context, node, service, isTool }),
		tally: newTally(),
		isTool,
		continuesOnFail: continuesOnFail(context),
		log,
		signal: context.getExecutionCancelSignal(),
		paces: joinPaces(service.account, context.getContext('node'), log.hold),
	};
}

/** A model can act on what went wrong: n8n 2.40.3 goes on unless told to stop, 1.123.81 stops. */
export function continuesOnFail(context: IExecuteFunctions): boolean {
	const stops = context.getNode().onError === 'stopWorkflow';
	return context.continueOnFail() || (isToolCall(context) && !stops);
}

/**
 * Whether an AI agent calls the node. n8n gives a node that serves as a tool a type of its own,
 * whether the agent or the engine runs it (seen on 2.40.3 and 1.123.81).
 */
export function isToolCall(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}
