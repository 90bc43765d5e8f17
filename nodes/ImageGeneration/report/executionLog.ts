import type { IExecuteFunctions } from 'n8n-workflow';

import { jobNamedBy, referenceTo } from '../failures/failures';
import { placeName } from '../failures/placeName';
import type { ExecutionLog, JobPlace } from '../types';
import { paidImagesCounter } from './costs';
import { jobLine, messageFor } from './messages';

/** Writes to n8n's log. Line breaks in a service's message can't forge further lines. */
export function executionLog(context: IExecuteFunctions): ExecutionLog {
	// n8n copies the whole node for each call.
	const { name } = context.getNode();
	const writeLine = (text: string): void => {
		const line = `${name}: ${text}`;
		context.logger.info(line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));
	};
	const write = (job: JobPlace, text: string): void => {
		writeLine(`${placeName(job)} ${text}`);
	};
	const countImagePaid = paidImagesCounter(context);
	return {
		purchase: (job, outcome) => {
			const named = 'value' in outcome ? referenceTo(outcome.value) : jobNamedBy(outcome.failure);
			const paid = jobLine(named);
			if (paid === '') return;
			write(job, `was bought: ${paid}`);
			countImagePaid();
		},
		unlogged: (label, failure) => {
			const { title } = messageFor(failure);
			const what = label ?? 'How this run ended';
			writeLine(`${what} is missing from the purchase log (${title})`);
		},
		retry: (job, ms, failure) => {
			const { title } = messageFor(failure);
			write(job, `will be retried in ${inSeconds(ms)} s (${title})`);
		},
		hold: (ms, failure) => {
			const { title } = messageFor(failure);
			writeLine(
				`the service accepts no more requests for now; the next one goes out in ${inSeconds(ms)} s (${title})`,
			);
		},
	};
}

function inSeconds(ms: number): number {
	return Math.ceil(ms / 1000);
}
