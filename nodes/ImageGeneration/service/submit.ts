import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { UnreadableImage } from '../failures/failures';
import type { StreamedFile } from '../images/streamedFile';
import type { JobRequest, JobResult } from '../types';
import { toConnectionFailure } from './connectionFailure';
import { parseJobResult, type ServiceResponse } from './response';
import { CREDENTIAL, type Service } from './service';

/** A request that is ready to go out. */
export interface ReadyRequest extends Pick<JobRequest, 'model' | 'fields'> {
	/** The file part `image`. */
	file?: StreamedFile;
}

/**
 * Puts one paid call on the wire: a POST of multipart/form-data with the key in its header
 * (sections 4 and 5). It follows no redirect, as n8n's client would take the key along (seen on
 * n8n 2.40.3 and 1.123.81), and keep the whole upload in memory for a replay.
 * @param timeout Seconds without a sign of the service.
 * @throws Refusal, StrangeAnswer, NoAnswer, UnreadableImage
 */
export async function submit(
	context: IExecuteFunctions,
	service: Service,
	request: ReadyRequest,
	timeout: number,
): Promise<JobResult> {
	const options: IHttpRequestOptions = {
		method: 'POST',
		url: service.address.endpoint(request.model),
		headers: { Accept: 'application/json' },
		body: formOf(request),
		encoding: 'text',
		timeout: timeout * 1000,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
	};
	return parseJobResult(await answerTo(context, service, options, request.file));
}

async function answerTo(
	context: IExecuteFunctions,
	service: Service,
	options: IHttpRequestOptions,
	file: StreamedFile | undefined,
): Promise<ServiceResponse> {
	try {
		const { statusCode, headers, body } = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			options,
		)) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
		return {
			status: statusCode,
			headers: { ...headers, location: hidden(headers.location, service) },
			body: service.hideKey(typeof body === 'string' ? body : ''),
		};
	} catch (error) {
		const failure =
			file?.readFailure === undefined
				? toConnectionFailure(error)
				: new UnreadableImage(`The file "${file.name}" can't be read: ${file.readFailure.message}`);
		throw failure;
	} finally {
		file?.release();
	}
}

function hidden(header: unknown, { hideKey }: Service): string | undefined {
	return typeof header === 'string' ? hideKey(header) : undefined;
}

function formOf({ fields, file }: ReadyRequest): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	if (file !== undefined) form.append('image', file);
	return form;
}
