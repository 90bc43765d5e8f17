import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { Failed, type ConnectionFailure, type Failure } from '../failures/failures';
import { readText, type Readable } from '../images/readable';
import type { StreamedFile } from '../images/streamedFile';
import type { JobRequest } from '../types';
import { callContext } from './callContext';
import { toConnectionFailure } from './connectionFailure';
import { Deadline } from './deadline';
import { parseJobResult, type ParsedJob } from './response';
import { CREDENTIAL, type Service } from './service';

/** The most that is read of a response, in bytes after inflation. */
const MAX_BYTES = 1024 ** 2;

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
	{ model, fields, file }: JobRequest,
	timeout: number,
): Promise<ParsedJob> {
	const deadline = new Deadline(timeout, context.getExecutionCancelSignal());
	const upload = file?.forRequest();
	if (upload !== undefined) upload.onRead = () => deadline.extend();
	const options: IHttpRequestOptions = {
		method: 'POST',
		url: service.baseUrl.endpoint(model),
		headers: { Accept: 'application/json' },
		body: formOf(fields, upload),
		encoding: 'stream',
		// The client's timeout would also stop a slow upload; the deadline does not.
		timeout: 0,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
	};
	try {
		const response = await send(context, service, options, deadline, upload);
		return await jobOf(response, service, deadline);
	} finally {
		deadline.end();
		upload?.release();
	}
}

interface StreamedResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: Readable;
}

async function send(
	context: IExecuteFunctions,
	service: Service,
	options: IHttpRequestOptions,
	deadline: Deadline,
	upload: StreamedFile | undefined,
): Promise<StreamedResponse> {
	const call = callContext(context, service, deadline);
	try {
		return (await call.context.helpers.httpRequestWithAuthentication.call(
			call.context,
			CREDENTIAL,
			options,
		)) as StreamedResponse;
	} catch (error) {
		if (call.rejection !== undefined) throw call.rejection;
		const failed = new Failed(
			upload?.readFailure === undefined
				? connectionFailure(error, service, deadline)
				: unreadable(upload, upload.readFailure),
		);
		throw failed;
	}
}

async function jobOf(
	{ statusCode, headers, body }: StreamedResponse,
	service: Service,
	deadline: Deadline,
): Promise<ParsedJob> {
	// An aborted request emits an error on its stream, even if nothing reads it.
	body.on('error', () => {});
	const { text, incomplete, error } = await readText(body, MAX_BYTES);
	const isSuccess = statusCode >= 200 && statusCode < 300;
	if (incomplete === 'interrupted' && isSuccess && text.trim() === '') {
		throw new Failed(connectionFailure(error, service, deadline));
	}
	return parseJobResult({ status: statusCode, headers, body: text, incomplete }, service);
}

function unreadable({ name }: StreamedFile, { message }: Error): Failure {
	return { kind: 'unreadable image', message: `The file "${name}" can't be read: ${message}` };
}

function connectionFailure(
	error: unknown,
	service: Service,
	{ isOver }: Deadline,
): ConnectionFailure {
	const failure = toConnectionFailure(error, service);
	if (!isOver) return failure;
	return failure.kind === 'unreachable'
		? { kind: 'unreachable', message: 'the connection timed out' }
		: { ...failure, kind: 'timeout' };
}

function formOf(fields: Record<string, string>, file: StreamedFile | undefined): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	if (file !== undefined) form.append('image', file);
	return form;
}
