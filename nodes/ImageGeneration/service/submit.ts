import type { IExecuteFunctions } from 'n8n-workflow';

import { Failed } from '../failures/failures';
import { streamedFile } from '../images/imageFile';
import { readText, type Readable } from '../images/readable';
import type { JobRequest } from '../types';
import { Deadline, orAborted } from '../wait';
import { toConnectionFailure } from './connectionFailure';
import { parseJobResult, type ParsedJob } from './response';
import { CREDENTIAL, type Service } from './service';

/** A response whose body is not read yet. */
export interface StreamedResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Readable;
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
 * Sends one paid request: a POST of multipart/form-data with the key in its header (sections 4 and
 * 5). It does not follow redirects: n8n's client would send the key along and keep the whole upload in
 * memory for a replay (2.40.3, 1.123.81).
 * @param timeout Seconds without progress of the upload, and then for the whole response.
 * @throws Failed, or BadInput if the credential was edited in the meantime
 */
export async function submit(
	context: IExecuteFunctions,
	service: Service,
	{ model, textParts, file }: JobRequest,
	timeout: number,
): Promise<ParsedJob> {
	const deadline = new Deadline(timeout, context.getExecutionCancelSignal());
	const { signal } = deadline;
	try {
		// n8n reads the credential for each request as well (2.41.1, 1.123.81), so an edit takes effect during
		// the run, and an external vault may be unavailable.
		const credential = await orAborted(context.getCredentials(CREDENTIAL), signal).catch(
			(error: unknown) => {
				const { message } = toConnectionFailure(error, service);
				throw new Failed({ kind: 'no credential', message });
			},
		);
		service.accept(credential);
		// n8n reads the credential and the abort signal from the context, not from the request's options.
		const ownContext = Object.create(context, {
			getCredentials: { value: async () => await Promise.resolve(credential) },
			getExecutionCancelSignal: { value: () => signal },
		}) as IExecuteFunctions;
		const form = new FormData();
		for (const [name, value] of Object.entries(textParts)) form.append(name, value);
		if (file !== undefined) form.append('image', streamedFile(file, deadline));
		const sent = context.helpers.httpRequestWithAuthentication.call(ownContext, CREDENTIAL, {
			method: 'POST',
			url: service.baseUrl.endpoint(model),
			headers: { Accept: 'application/json' },
			body: form,
			...STREAMED,
		});
		const { statusCode: status, headers, body } = (await sent) as StreamedResponse;
		// An aborted request emits an error on its stream, even if nothing reads it.
		body.on('error', () => {});
		const read = await readText(body);
		const isSuccess = status >= 200 && status < 300;
		if (read.incomplete === 'interrupted' && isSuccess && read.text.trim() === '') {
			throw new Failed(toConnectionFailure(read.error, service, deadline));
		}
		return parseJobResult({ status, headers, ...read }, service);
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
