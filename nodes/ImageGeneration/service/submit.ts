import type { IExecuteFunctions } from 'n8n-workflow';

import { Failed } from '../failures/failures';
import { streamedFile } from '../images/imageFile';
import { readText, type Readable } from '../images/readable';
import type { JobRequest, JobResult } from '../types';
import { asRecord } from '../values/asRecord';
import { Deadline, onAbort } from '../wait';
import { causesOf, toConnectionFailure } from './connectionFailure';
import { parseJobResult } from './response';
import { CREDENTIAL, type Service } from './service';

/** A response whose body is not read yet. */
export interface StreamedResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Readable;
}

/** A response with the request that it answers, as far as n8n hands it out. */
interface Answer extends StreamedResponse {
	request: { destroy: () => void } | undefined;
}

/** What a run and its paid request tell each other. */
export interface Sending {
	/** Aborted when the run is stopped. */
	signal: AbortSignal;
	/** Called once the request is completely sent. */
	onSent: () => void;
}

/** The options of every request. */
export const STREAMED = {
	encoding: 'stream',
	// The client's timeout would also stop a slow upload; the deadline does not.
	timeout: 0,
	disableFollowRedirect: true,
	ignoreHttpStatusErrors: true,
	returnFullResponse: true,
} as const;

/**
 * The statuses for which n8n throws instead of returning the response, because only what it throws has the
 * request (2.41.1). Not 401, after which n8n would send the request again.
 */
const THROWN = Array.from({ length: 300 }, (_, index) => index + 300).filter(
	(status) => status !== 401,
);

/**
 * Codes of a body whose connection was closed (Node 20.20, 24.21). With others it came and can't be read, such
 * as one that is not compressed as its header says.
 */
const CLOSED: unknown[] = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'];

/**
 * Sends one paid request: a POST of multipart/form-data with the key in its header (sections 4 and
 * 5). It does not follow redirects: n8n's client would send the key along and keep the whole upload in
 * memory for a replay (2.40.3, 1.123.81).
 * @param timeout Seconds without progress of the upload, and then for the whole response.
 * @param sending Its signal ends the request as long as it is not completely sent: after that it is mostly charged.
 * @throws Failed
 */
export async function submit(
	context: IExecuteFunctions,
	service: Service,
	{ model, textParts, file }: JobRequest,
	timeout: number,
	sending: Sending,
): Promise<JobResult> {
	const deadline = new Deadline(timeout, sending.signal);
	const onSent = () => {
		if (signal.aborted) return;
		deadline.ignoreStop();
		sending.onSent();
	};
	const { signal } = deadline;
	try {
		// n8n reads the credential and the abort signal from the context, not from the request's options.
		const ownContext = Object.create(context, {
			getCredentials: { value: async () => await Promise.resolve(service.credential) },
			getExecutionCancelSignal: { value: () => signal },
		}) as IExecuteFunctions;
		const form = new FormData();
		for (const [name, value] of Object.entries(textParts)) form.append(name, value);
		if (file !== undefined) form.append('image', streamedFile(file, deadline, onSent));
		const sent = context.helpers.httpRequestWithAuthentication.call(ownContext, CREDENTIAL, {
			method: 'POST',
			url: service.baseUrl.endpoint(model),
			headers: { Accept: 'application/json' },
			body: form,
			...STREAMED,
			ignoreHttpStatusErrors: { ignore: true, except: THROWN },
		});
		if (file === undefined) onSent();
		const { statusCode: status, headers, body, request } = await answerOf(sent);
		// An aborted request emits an error on its stream, even if nothing reads it.
		body.on('error', () => {});
		// n8n's client forgets the signal of a request whose response it throws.
		onAbort(signal, () => request?.destroy());
		const read = await readText(body);
		const isSuccess = status >= 200 && status < 300;
		const isCut = signal.aborted || CLOSED.includes(asRecord(read.error).code);
		if (read.incomplete === 'interrupted' && isCut && isSuccess && read.text.trim() === '') {
			throw new Failed(toConnectionFailure(read.error, service, deadline));
		}
		return parseJobResult({ status, headers, request, sent: textParts, ...read }, service);
	} catch (error) {
		// A file that can't be read ends the request.
		const { reason } = signal as { reason: unknown };
		const known = [error, reason].find((each) => each instanceof Failed);
		const failed = known ?? new Failed(toConnectionFailure(error, service, deadline));
		throw failed;
	} finally {
		deadline.end();
	}
}

/** Waits for a response, which n8n returns or throws. */
async function answerOf(sent: Promise<unknown>): Promise<Answer> {
	return await sent.then((returned) => {
		const response = returned as StreamedResponse;
		// n8n 1.123.81 returns every response, and its body has the request.
		return { ...response, request: asRecord(response.body).req as Answer['request'] };
	}, thrownAnswer);
}

/** Takes the response from what n8n threw. @throws the same if there is none. */
function thrownAnswer(error: unknown): Answer {
	for (const { response, request } of causesOf(error)) {
		const { status, headers, data } = asRecord(response);
		if (typeof status !== 'number') continue;
		return {
			statusCode: status,
			headers: headers as Answer['headers'],
			body: data as Readable,
			request: request as Answer['request'],
		};
	}
	throw error as Error;
}
