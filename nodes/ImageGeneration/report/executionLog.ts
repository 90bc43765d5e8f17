import type { IExecuteFunctions } from 'n8n-workflow';

import { jobNamedBy, referenceTo } from '../failures/failures';
import type { ExecutionLog, JobPlace } from '../types';
import { jobLine, messageFor } from './messages';
import { placeName } from './placeName';

/** Writes to n8n's log, one line at a time, whatever the service said. */
export function executionLog(context: IExecuteFunctions): ExecutionLog {
	const write = (job: JobPlace, text: string): void => {
		const line = `${context.getNode().name}: ${placeName(job)} ${text}`;
		context.logger.info(line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));
	};
	return {
		purchase: (job, outcome) => {
			const named = 'value' in outcome ? referenceTo(outcome.value) : jobNamedBy(outcome.failure);
			const paid = jobLine(named);
			if (paid !== '') write(job, `is paid for: ${paid}`);
		},
		retry: (job, ms, failure) => {
			const { title } = messageFor(failure);
			write(job, `is retried in ${Math.ceil(ms / 1000)} s (${title})`);
		},
	};
}
