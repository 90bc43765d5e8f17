import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { BadInput, ConnectionFailure, UnreadableImage } from '../failures/failures';
import { readText, type Readable } from '../images/readable';
import type { StreamedFile } from '../images/streamedFile';
import type { JobRequest } from '../types';
import { callContext } from './callContext';
import { toConnectionFailure } from './connectionFailure';
import { Deadline } from './deadline';
import { MAX_RESPONSE_BYTES } from './limits';
import { parseJobResult, type ParsedJob } from './response';
import { CREDENTIAL, type Service } from './service';

/** A request that is ready to go out. */
export interface ReadyRequest extends Pick<JobRequest, 'model' | 'fields'> {
	/** The file part `image`. */
	file?: StreamedFile;
}

/**
 * Sends one paid request: a POST of multipart/form-data with the key in its header (sections 4 and
 * 5). It follows no redirect, as n8n's client would take the key along (seen on n8n 2.40.3 and
 * 1.123.81), and keep the whole upload in memory for a replay.
 * @param timeout Seconds without a sign of life while a file is uploaded; then, or without a file,
 * the time that the whole response may take.
 * @throws ServiceRejection, UnexpectedResponse, ConnectionFailure, UnreadableImage, or BadInput if
 * the credential was edited in the meantime
 */
export async function submit(
	context: IExecuteFunctions,
	service: Service,
	{ model, fields, file }: ReadyRequest,
	timeout: number,
): Promise<ParsedJob> {
	const deadline = new Deadline(timeout, context.getExecutionCancelSignal());
	const upload = file?.forAttempt();
	if (upload !== undefined) upload.onRead = () => deadline.extend();
	const options: IHttpRequestOptions = {
		method: 'POST',
		url: service.baseUrl.endpoint(model),
		headers: { Accept: 'application/json' },
		body: formOf(fields, upload),
		encoding: 'stream',
		// The client would count a slow upload as silence; the deadline does not.
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
	let refusal: { reason: unknown } | undefined;
	const ofCall = callContext(context, {
		deadline,
		onCredential: (credential) => service.accept(credential),
		onRefusal: (reason) => {
			refusal = { reason };
		},
	});
	try {
		return (await ofCall.helpers.httpRequestWithAuthentication.call(
			ofCall,
			CREDENTIAL,
			options,
		)) as StreamedResponse;
	} catch (error) {
		if (refusal !== undefined) throw withoutCredential(refusal.reason, service);
		if (upload?.readFailure !== undefined) throw unreadable(upload, upload.readFailure);
		throw connectionFailure(error, service, deadline);
	}
}

async function jobOf(
	{ statusCode, headers, body }: StreamedResponse,
	service: Service,
	deadline: Deadline,
): Promise<ParsedJob> {
	// An aborted request says so on its stream, even if nobody reads that any more.
	body.on('error', () => {});
	const { text, isCut, error } = await readText(body, MAX_RESPONSE_BYTES);
	const isSuccess = statusCode >= 200 && statusCode < 300;
	if (isCut === 'broken off' && isSuccess && text.trim() === '') {
		throw connectionFailure(error, service, deadline);
	}
	return parseJobResult({ status: statusCode, headers, body: text, isCut }, service);
}

function withoutCredential(reason: unknown, { hideKey }: Service): BadInput | ConnectionFailure {
	if (reason instanceof BadInput) return reason;
	return new ConnectionFailure('no credential', hideKey(toConnectionFailure(reason).message));
}

function unreadable({ name }: StreamedFile, { message }: Error): UnreadableImage {
	return new UnreadableImage(`The file "${name}" can't be read: ${message}`);
}

function connectionFailure(
	error: unknown,
	{ hideKey }: Service,
	{ isOver }: Deadline,
): ConnectionFailure {
	const { kind, message } = toConnectionFailure(error);
	if (isOver && kind === 'unreachable')
		return new ConnectionFailure(kind, 'the connection timed out');
	return new ConnectionFailure(isOver ? 'timeout' : kind, hideKey(message));
}

function formOf(fields: Record<string, string>, file: StreamedFile | undefined): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	if (file !== undefined) form.append('image', file);
	return form;
}
