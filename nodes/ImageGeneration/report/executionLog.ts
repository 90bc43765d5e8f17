import type { IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../failures/failures';
import { referenceTo } from '../service/jobResults';
import { placeName, type ExecutionLog, type Tally } from '../types';
import { jobLine, messageFor } from './messages';

/**
 * Key of the count in the execution's custom data, which all nodes and runs share. On some plans the list
 * of executions can be filtered by it. n8n 1.123.81 allows only letters, digits and underscores.
 */
const KEY = 'imagesPaid';

/** Writes to n8n's log. Line breaks in a service's message can't forge further lines. */
export function executionLog(context: IExecuteFunctions): ExecutionLog {
	// n8n copies the whole node for each call.
	const source = `${context.getNode().name} (execution ${context.getExecutionId()})`;
	const write = (text: string): void => {
		context.logger.info(`${source}: ${text}`.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));
	};
	const reason = (failure: Failure) => messageFor(failure).title;
	const tally: Tally = { paid: 0, gone: 0, unusual: [], unlogged: [] };
	// Once: n8n builds all its proxies for each call, which takes longer than all of the node's own code.
	const { customData } = context.getWorkflowDataProxy(0).$execution as { customData?: CustomData };
	return {
		tally,
		purchase: (job, outcome) => {
			const paid = jobLine('value' in outcome ? referenceTo(outcome.value) : outcome.failure.job);
			if (paid === '') return;
			write(`${placeName(job)} was bought: ${paid}`);
			tally.paid++;
			// After each purchase, because data set after Stop is lost; n8n keeps it if the node throws (2.40.3).
			const before = Number(customData?.get(KEY) ?? 0);
			customData?.set(KEY, String((Number.isSafeInteger(before) ? before : 0) + 1));
		},
		unlogged: (label = 'How this run ended', failure) => {
			tally.unlogged.push(failure);
			write(`${label} is missing from the purchase log (${reason(failure)})`);
		},
		retry: (job, ms, failure) => {
			write(`${placeName(job)} will be retried in ${Math.ceil(ms / 1000)} s (${reason(failure)})`);
		},
		hold: (ms, failure) => {
			write(
				`the service accepts no more requests for now; the next one goes out in ${Math.ceil(ms / 1000)} s (${reason(failure)})`,
			);
		},
	};
}

/** Of n8n's `$execution`, which n8n-workflow 2.40.1 does not type. */
type CustomData = Pick<Map<string, string>, 'get' | 'set'>;
