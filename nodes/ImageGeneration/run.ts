import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { purchaseLimit, type PurchaseLimit } from './buy/purchaseLimit';
import { joinRateLimiters, type RateLimiters } from './buy/rateLimiter/joinRateLimiters';
import { newTally, type Tally } from './buy/tally';
import { readOptions } from './fields/field';
import { runOptions, type RunOptions } from './fields/options';
import { assertSupportedHost } from './plan/assertSupportedHost';
import { parameterReader, type ParameterReader } from './plan/parameterReader';
import { openExecutionMemory, type ExecutionMemory } from './recall/executionMemory';
import { openPurchases } from './recall/openPurchases';
import type { Purchases } from './recall/purchases';
import { executionLog } from './report/executionLog';
import { loadService, type Service } from './service/service';
import type { ExecutionLog } from './types';

/** Everything that the jobs of a run share. */
export interface Run extends RunOptions {
	context: IExecuteFunctions;
	node: INode;
	input: INodeExecutionData[];
	readParameter: ParameterReader;
	/** Distinguishes the node's runs in one execution, such as the rounds of a loop. */
	name: string;
	service: Service;
	/** What this execution bought. */
	memory: ExecutionMemory;
	/** What the node bought in all executions. */
	purchases: Purchases;
	limit: PurchaseLimit;
	tally: Tally;
	/** Decides when requests may go out. */
	limiters: RateLimiters;
	/** Whether an AI agent calls the node as a tool. */
	isTool: boolean;
	/** Whether the other jobs continue when one fails. */
	continuesOnFail: boolean;
	log: ExecutionLog;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal | undefined;
}

/**
 * Prepares a run.
 * @throws BadInput if n8n is too old, or if the credential or an option of the run is invalid.
 */
export async function setUp(context: IExecuteFunctions): Promise<Run> {
	assertSupportedHost(context);
	const node = context.getNode();
	const isTool = isToolCall(context);
	const service = await loadService(context);
	// Read one by one, so that a broken expression in another option affects only its own item.
	const options = readOptions(runOptions, (name) =>
		context.getNodeParameter(`options.${name}`, 0, null),
	);
	const log = executionLog(context);
	const tally = newTally();
	// An agent's loop counts each attempt of a tool as a separate run (read in n8n 2.40.3).
	const name = isTool ? 'tool' : String(context.getWorkflowDataProxy(0).$runIndex);
	const signal = context.getExecutionCancelSignal();
	return {
		...options,
		context,
		node,
		input: context.getInputData(),
		readParameter: parameterReader(context, node),
		name,
		service,
		memory: openExecutionMemory(context, name),
		purchases: openPurchases(
			{ context, node, service, signal },
			options.purchaseLog,
			(label, failure) => {
				tally.unlogged.push(failure);
				log.unlogged(label, failure);
			},
		),
		limit: purchaseLimit(context.getContext('node'), options.maxImages, isTool),
		tally,
		isTool,
		continuesOnFail: continuesOnFail(context),
		log,
		signal,
		limiters: joinRateLimiters(
			service.account,
			context.getContext('node'),
			options.requestInterval,
			log.hold,
		),
	};
}

/**
 * Whether failures become error items. As a tool the node continues by default, because a model can
 * act on a message: n8n 2.40.3 continues unless told to stop, 1.123.81 stops.
 */
export function continuesOnFail(context: IExecuteFunctions): boolean {
	const stops = context.getNode().onError === 'stopWorkflow';
	return context.continueOnFail() || (isToolCall(context) && !stops);
}

/**
 * Whether an AI agent calls the node. The type name of a tool node ends in `Tool`, whether the agent
 * or the engine runs it (2.40.3, 1.123.81).
 */
export function isToolCall(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}
