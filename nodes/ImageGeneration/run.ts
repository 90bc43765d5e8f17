import type { IExecuteFunctions } from 'n8n-workflow';

import { openLedger, type Ledger } from './buy/ledger';
import { readRunOptions, type RunOptions } from './fields/options';
import { uniqueNames } from './images/fileName';
import { assertSupportedHost } from './plan/assertSupportedHost';
import { executionLog } from './report/executionLog';
import { loadService, type Service } from './service/service';
import type { ExecutionLog } from './types';

/** What holds for all items of a run. */
export interface Run extends RunOptions {
	service: Service;
	earlier: Ledger;
	/** Whether an AI agent calls the node. */
	isTool: boolean;
	log: ExecutionLog;
	/** Numbers a default file name that was given before. */
	uniqueName: (name: string) => string;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal | undefined;
}

/** @throws BadInput when n8n is too old, or the credential or an option of the run can't be used. */
export async function setUp(context: IExecuteFunctions): Promise<Run> {
	assertSupportedHost(context);
	const isTool = isToolCall(context);
	return {
		service: await loadService(context),
		earlier: openLedger(context, isTool),
		isTool,
		log: executionLog(context),
		uniqueName: uniqueNames(),
		signal: context.getExecutionCancelSignal(),
		// One by one, as an expression beside them that fails is a matter of its item alone.
		...readRunOptions({
			concurrency: context.getNodeParameter('options.concurrency', 0, 5),
			requestInterval: context.getNodeParameter('options.requestInterval', 0, 0),
		}),
	};
}

/**
 * Whether an AI agent calls the node. n8n gives a node that serves as a tool a type of its own,
 * whether the agent or the engine runs it (seen on 2.40.3 and 1.123.81).
 */
export function isToolCall(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}
