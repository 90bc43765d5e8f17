import type { IExecuteFunctions } from 'n8n-workflow';

import type { Failure, Outcome } from '../failures/failures';
import { mayBeCharged } from '../failures/retryDecision';
import type { Execution } from '../n8n/execution';
import { referenceTo } from '../service/jobResults';
import type { JobPlace, JobResult } from '../types';
import { placeName } from '../values/placeName';
import { jobLine, messageFor } from './messages';

/** Counts what a run buys. */
export interface Tally {
	/** Images that this run bought. */
	paid: number;
	/** Why rows of the Purchase Log could not be written. */
	missing: Failure[];
	/** The name of the Purchase Log's table, if this run made it. */
	madeTable?: string;
}

/** Writes to n8n's log while the node runs, and counts. */
export interface ExecutionLog {
	tally: Tally;
	/** Records a purchase, or that there may be one. */
	purchase: (job: JobPlace, outcome: Outcome<JobResult>) => void;
	/** Records that the Purchase Log does not show what became of an image. */
	missing: (label: string, failure: Failure) => void;
	/** Records that the Purchase Log's table was made. */
	madeTable: (name: string) => void;
	/** Records a retry in `ms` milliseconds, and its reason. */
	retry: (job: JobPlace, ms: number, failure: Failure) => void;
	/** Records that all requests wait for `ms` milliseconds, and the reason. */
	hold: (ms: number, failure: Failure) => void;
}

/**
 * Key of the count in the execution's custom data, which all nodes and runs share. On some plans the list
 * of executions can be filtered by it. n8n 1.123.81 allows only letters, digits and underscores.
 */
const KEY = 'imagesPaid';

/** Line breaks in a service's message can't forge further lines. */
export function executionLog(context: IExecuteFunctions, { id }: Execution): ExecutionLog {
	// n8n copies the whole node for each call.
	const { name } = context.getNode();
	const source = id === '' ? name : `${name} (execution ${id})`;
	const write = (text: string): void => {
		context.logger.info(`${source}: ${text}`.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));
	};
	const reason = (failure: Failure) => messageFor(failure).title;
	const tally: Tally = { paid: 0, missing: [] };
	// Once: n8n builds all its proxies for each call, which takes longer than all of the node's own code.
	const { customData } = context.getWorkflowDataProxy(0).$execution as { customData?: CustomData };
	return {
		tally,
		purchase: (job, outcome) => {
			const paid = jobLine('value' in outcome ? referenceTo(outcome.value) : outcome.failure.job);
			if (paid === '') {
				if ('value' in outcome || !mayBeCharged(outcome.failure)) return;
				write(`${placeName(job)} may have been charged (${reason(outcome.failure)})`);
				return;
			}
			write(`${placeName(job)} was bought: ${paid}`);
			tally.paid++;
			// After each purchase, because data set after Stop is lost; n8n keeps it if the node throws (2.41.1).
			const before = Number(customData?.get(KEY) ?? 0);
			customData?.set(KEY, String((Number.isSafeInteger(before) ? before : 0) + 1));
		},
		missing: (label, failure) => {
			tally.missing.push(failure);
			write(`${label} is missing from the purchase log (${reason(failure)})`);
		},
		madeTable: (name) => {
			tally.madeTable = name;
			write(`made the purchase log ${JSON.stringify(name)}`);
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

/** Of n8n's `$execution`, which n8n-workflow 2.41.1 does not type. */
type CustomData = Pick<Map<string, string>, 'get' | 'set'>;
