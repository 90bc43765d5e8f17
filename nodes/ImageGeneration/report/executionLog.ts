import type { IExecuteFunctions } from 'n8n-workflow';

import { placeName } from '../failures/placeName';
import { referenceTo } from '../service/jobResults';
import type { ExecutionLog, JobPlace, Tally } from '../types';
import { jobLine, messageFor } from './messages';
import { paidImagesCounter } from './paidImagesCounter';

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
	const tally: Tally = { paid: 0, renewed: 0, unusual: [], unlogged: [] };
	return {
		tally,
		purchase: (job, outcome) => {
			const paid = jobLine('value' in outcome ? referenceTo(outcome.value) : outcome.failure.job);
			if (paid === '') return;
			write(job, `was bought: ${paid}`);
			tally.paid++;
			countImagePaid();
		},
		unlogged: (label, failure) => {
			tally.unlogged.push(failure);
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
