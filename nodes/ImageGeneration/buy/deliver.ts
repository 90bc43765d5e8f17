import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { Failed, settle, type Outcome } from '../failures/failures';
import { isDeadLink } from '../failures/retryDecision';
import { completeName } from '../images/outputName';
import type { Purchase } from '../recall/purchase';
import { download, lookFor } from '../service/download';
import { referenceTo } from '../service/jobResults';
import type { Service } from '../service/service';
import type { FinishedRow, Job, JobResult, Row } from '../types';
import type { RateLimiters } from './rateLimiter';
import { requestLoop, type RetryLog } from './requestLoop';

/** What all deliveries of a run share. */
export interface Delivering {
	context: IExecuteFunctions;
	service: Service;
	limiters: RateLimiters;
	log: RetryLog;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
}

/**
 * Downloads the image of a paid job once, and gives each of its rows a file of its own. Continues if the run fails,
 * because this image is paid for; only Stop ends it.
 * @returns what came of each row
 */
export async function deliver(
	attempt: Delivering,
	{ rows, timeout }: Job,
	purchase: Purchase,
	result: JobResult,
): Promise<Map<Row, Outcome<FinishedRow>>> {
	const { context, service, limiters, log, signal } = attempt;
	const delivered = new Map<Row, Outcome<FinishedRow>>();
	let first: Outcome<IBinaryData> | undefined;
	for (const row of rows) {
		const { outputField, fileName } = row;
		if (outputField === undefined || (signal.aborted && first !== undefined)) {
			delivered.set(row, { value: { result } });
			continue;
		}
		if (first === undefined) {
			const send = async () =>
				await download(context, service, result, { fileName, timeout }, signal);
			const outcome = await requestLoop(log, signal, { rows, timeout }, limiters.downloads, send);
			if ('value' in outcome) purchase.output = outcome.value.file;
			first = 'value' in outcome ? { value: outcome.value.image } : outcome;
			delivered.set(row, finished(result, first));
		} else {
			const own = 'value' in first ? await copyFor(context, first.value, row, result) : first;
			delivered.set(row, finished(result, own));
		}
	}
	return delivered;
}

/** What came of a row whose image was to be downloaded. */
function finished(result: JobResult, outcome: Outcome<IBinaryData>): Outcome<FinishedRow> {
	if ('value' in outcome) return { value: { result, image: outcome.value } };
	const { failure } = outcome;
	// After Stop, a download that has not begun leaves only the link.
	if (failure.kind === 'not started') return { value: { result } };
	// The last refusal of any download, if this one was given up before it was sent.
	const own = failure.kind === 'rate limited' ? failure.refusal : failure;
	return { failure: own.kind === 'download' ? { ...own, job: referenceTo(result) } : own };
}

/** The same image for another row, under its own name. */
async function copyFor(
	{ helpers }: IExecuteFunctions,
	image: IBinaryData,
	{ fileName }: Row,
	{ output_url: link }: JobResult,
): Promise<Outcome<IBinaryData>> {
	const [extension = ''] = /\.[^.]*$/.exec(image.fileName ?? '') ?? [];
	const name = completeName(fileName, link) + extension;
	if (image.id === undefined) return { value: { ...image, fileName: name } };
	const { id, mimeType } = image;
	const copy = async () =>
		await helpers.prepareBinaryData(await helpers.getBinaryStream(id), name, mimeType);
	const copied = await settle(copy());
	if ('value' in copied) return copied;
	const { message } = new Failed(copied.failure);
	return { failure: { kind: 'download', reason: 'not stored', message } };
}

/** Looks whether the image of another run is still there that is delivered without a download. */
export async function isStillThere(
	{ context, service, signal }: Delivering,
	{ rows, timeout }: Job,
	result: JobResult,
): Promise<boolean> {
	if (rows.some(({ outputField }) => outputField !== undefined)) return true;
	const looked = await settle(lookFor(context, service, result, timeout, signal));
	return 'value' in looked || !isDeadLink(looked.failure);
}
