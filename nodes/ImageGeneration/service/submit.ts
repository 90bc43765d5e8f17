import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { BadInput, Failed } from '../failures/failures';
import { readText, type Readable } from '../images/readable';
import { StreamedFile } from '../images/streamedFile';
import type { JobRequest } from '../types';
import { toConnectionFailure } from './connectionFailure';
import { parseJobResult, type ParsedJob } from './response';
import { CREDENTIAL, type Service } from './service';
import { Deadline, orAborted } from './wait';

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
	request: JobRequest,
	timeout: number,
): Promise<ParsedJob> {
	const deadline = new Deadline(timeout, context.getExecutionCancelSignal());
	const upload = request.file && new StreamedFile(request.file, () => deadline.extend());
	try {
		const { statusCode, headers, body } = await send(context, service, request, deadline, upload);
		// An aborted request emits an error on its stream, even if nothing reads it.
		body.on('error', () => {});
		const read = await readText(body);
		const isSuccess = statusCode >= 200 && statusCode < 300;
		if (read.incomplete === 'interrupted' && isSuccess && read.text.trim() === '') {
			throw new Failed(toConnectionFailure(read.error, service, deadline));
		}
		return parseJobResult({ status: statusCode, headers, ...read }, service);
	} finally {
		deadline.end();
		upload?.release();
	}
}

async function send(
	context: IExecuteFunctions,
	service: Service,
	{ model, fields }: JobRequest,
	deadline: Deadline,
	upload: StreamedFile | undefined,
): Promise<StreamedResponse> {
	let rejection: Failed | undefined;
	const getCredentials = async (type: string): Promise<ICredentialDataDecryptedObject> => {
		try {
			const credential = await orAborted(context.getCredentials(type), deadline.signal);
			service.accept(credential);
			return credential;
		} catch (error) {
			const { message } = toConnectionFailure(error, service);
			rejection =
				error instanceof BadInput ? error : new Failed({ kind: 'no credential', message });
			throw rejection;
		}
	};
	// n8n reads the abort signal from the context, not from the request's options. It also reads the
	// credential for each request (2.40.3, 1.123.81), so an edit takes effect during the run, and an
	// external vault may be unavailable.
	const ownContext = Object.create(context, {
		getExecutionCancelSignal: { value: () => deadline.signal },
		getCredentials: { value: getCredentials },
	}) as IExecuteFunctions;
	try {
		return (await context.helpers.httpRequestWithAuthentication.call(ownContext, CREDENTIAL, {
			method: 'POST',
			url: service.baseUrl.endpoint(model),
			headers: { Accept: 'application/json' },
			body: formOf(fields, upload),
			...STREAMED,
		})) as StreamedResponse;
	} catch (error) {
		const failed =
			rejection ?? unreadable(upload) ?? new Failed(toConnectionFailure(error, service, deadline));
		throw failed;
	}
}

function unreadable(upload: StreamedFile | undefined): Failed | undefined {
	if (upload?.readFailure === undefined) return undefined;
	const message = `The file "${upload.name}" can't be read: ${upload.readFailure.message}`;
	const advice =
		'The service never received the whole file. Run the node that outputs the file again.';
	return new Failed({ kind: 'unexpected', message, advice });
}

function formOf(fields: Record<string, string>, file: StreamedFile | undefined): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	if (file !== undefined) form.append('image', file);
	return form;
}
