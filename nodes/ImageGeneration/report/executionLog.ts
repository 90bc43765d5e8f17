import type { IExecuteFunctions } from 'n8n-workflow';

import { jobNamedBy, referenceTo } from '../failures/failures';
import type { Outcome } from '../failures/outcome';
import type { ExecutionLog, JobResult } from '../types';
import { jobLine, messageFor } from './messages';

/** Writes to n8n's log, one line at a time, whatever the service said. */
export function executionLog(context: IExecuteFunctions): ExecutionLog {
	const write = (index: number, text: string): void => {
		const line = `${context.getNode().name}: item ${index} ${text}`;
		context.logger.info(line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));
	};
	return {
		purchase: (index: number, outcome: Outcome<JobResult>) => {
			const job = 'value' in outcome ? referenceTo(outcome.value) : jobNamedBy(outcome.failure);
			const paid = jobLine(job);
			if (paid !== '') write(index, `is paid for: ${paid}`);
		},
		retry: (index: number, ms: number, failure: unknown) => {
			const { title } = messageFor(failure);
			write(index, `is tried again in ${Math.ceil(ms / 1000)} s (${title})`);
		},
	};
}
