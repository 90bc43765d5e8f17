import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { Failed, settle } from '../failures/failures';
import { checkImage, MAX_IMAGE_BYTES } from '../images/checkImage';
import { HEAD_BYTES, imageType, usualExtension } from '../images/imageType';
import { completeName } from '../images/outputName';
import { peek, readText, streamLike } from '../images/readable';
import type { Job, JobResult, Row } from '../types';
import { Deadline, orAborted } from '../wait';
import { toConnectionFailure } from './connectionFailure';
import { parseJson } from './jobResults';
import { retryAfter, serviceMessage } from './response';
import type { Service } from './service';
import { STREAMED, type StreamedResponse } from './submit';

const MOST_REDIRECTS = 5;
/** Time limit for a message returned instead of an image, in milliseconds. */
const MESSAGE_TIMEOUT = 5000;
/** Time limit for looking whether an image is there, in seconds. */
const LOOK_TIMEOUT = 10;

/** An image in n8n's storage. */
export interface StoredImage {
	image: IBinaryData;
	/** Its size in bytes, and their hash. */
	file: { size: number; sha256: string };
}

/**
 * Streams the image of a finished job into n8n's storage, and checks that it is one. The
 * header with the key is not sent, nor is a key that the service put into the link or a redirect. Unless
 * other hosts are allowed, the link and its redirects must stay at the Base URL's origin.
 * @param stop Aborted when the run is stopped.
 * @throws Failed with a DownloadFailure.
 */
export async function download(
	context: IExecuteFunctions,
	service: Service,
	result: JobResult,
	{ fileName, timeout }: Pick<Row, 'fileName'> & Pick<Job, 'timeout'>,
	stop: AbortSignal,
): Promise<StoredImage> {
	const { hideKey } = service;
	// n8n sets the execution's signal only for requests with a credential (2.40.3).
	const deadline = new Deadline(timeout, stop);
	try {
		const response = await follow(context, service, result, deadline.signal);
		const length = Number(response.headers['content-length'] ?? NaN);
		if (length > MAX_IMAGE_BYTES) throw new Failed({ kind: 'download', reason: 'too large' });
		const { head, all, claimed, type } = await beginningOf(response, service);
		if (head.length === 0) throw new Failed({ kind: 'download', reason: 'empty' });
		if (type === undefined) {
			const said = await messageIn(all, hideKey);
			throw new Failed({ kind: 'download', reason: 'not an image', claimed, serviceMessage: said });
		}
		const { bytes, file } = checkImage(all, deadline);
		const image = streamLike(response.body, bytes);
		const name = `${completeName(fileName, result.output_url)}.${usualExtension(type)}`;
		const stored = await settle(context.helpers.prepareBinaryData(image, name, type.mimeType));
		if ('value' in stored) return { image: stored.value, file: file() };
		const { message } = new Failed(stored.failure);
		const reason = deadline.signal.reason as Error | undefined;
		throw reason ?? new Failed({ kind: 'download', reason: 'not stored', message });
	} catch (error) {
		const failed = error instanceof Failed ? error : interruption(error, service, deadline);
		throw failed;
	} finally {
		// Closes all connections, even those of redirects, whose bodies were not read.
		deadline.end();
	}
}

/**
 * Looks whether the image of a finished job is still there, by its first bytes.
 * @throws Failed with a DownloadFailure.
 */
export async function lookFor(
	context: IExecuteFunctions,
	service: Service,
	result: JobResult,
	timeout: number,
	stop: AbortSignal,
): Promise<void> {
	const deadline = new Deadline(Math.min(timeout, LOOK_TIMEOUT), stop);
	try {
		const response = await follow(context, service, result, deadline.signal);
		const { head, claimed, type } = await beginningOf(response, service);
		// A download asks for an empty file again, so it is not judged by one look.
		if (head.length > 0 && type === undefined) {
			throw new Failed({ kind: 'download', reason: 'not an image', claimed });
		}
	} catch (error) {
		throw error instanceof Failed ? error : interruption(error, service, deadline);
	} finally {
		deadline.end();
	}
}

/** Reads the first bytes of what a link gives, and tells its type from them; undefined if it is no image. */
async function beginningOf({ headers, body }: StreamedResponse, { hideKey }: Service) {
	const claimed = hideKey(headers['content-type'] ?? '');
	const { head, all } = await peek(body, HEAD_BYTES);
	return { head, all, claimed, type: imageType(head, claimed) };
}

function interruption(error: unknown, service: Service, deadline: Deadline): Failed {
	if (deadline.isOver) return new Failed({ kind: 'download', reason: 'timeout' });
	const { kind, message } = toConnectionFailure(error, service, deadline);
	const reason = kind === 'blocked' ? 'blocked' : 'interrupted';
	return new Failed({ kind: 'download', reason, message });
}

/** Requests the link and follows its redirects. */
async function follow(
	context: IExecuteFunctions,
	{ baseUrl, hideKey, allowsOtherHosts }: Service,
	{ output_url: link }: JobResult,
	abortSignal: AbortSignal,
): Promise<StreamedResponse> {
	let url = new URL(link);
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
		const { origin } = url;
		if (origin !== baseUrl.origin && !allowsOtherHosts) {
			throw new Failed({ kind: 'download', reason: 'other host', origin });
		}
		const response = (await context.helpers.httpRequest({
			method: 'GET',
			url: url.href,
			headers: { Accept: 'image/*,*/*;q=0.5' },
			...STREAMED,
			abortSignal,
		})) as StreamedResponse;
		const { statusCode: status, headers, body } = response;
		// An aborted request emits an error on its stream, even if nothing reads it.
		body.on('error', () => {});
		if (status === 200) return response;
		if (status < 300 || status >= 400 || headers.location === undefined) {
			throw new Failed({
				kind: 'download',
				reason: [404, 410].includes(status) ? 'gone' : 'status',
				status,
				serviceMessage: await messageIn(body, hideKey),
				retryAfter: retryAfter(headers),
			});
		}
		const location = hideKey(headers.location);
		const target = URL.canParse(location, url.href) && new URL(location, url.href);
		if (!target || !/^https?:$/.test(target.protocol)) {
			throw new Failed({ kind: 'download', reason: 'bad redirect' });
		}
		url = target;
	}
	throw new Failed({ kind: 'download', reason: 'redirect loop' });
}

/** The service's message in a response; undefined if it is too long, too slow or incomplete. */
async function messageIn(
	body: AsyncIterable<Buffer>,
	hideKey: Service['hideKey'],
): Promise<string | undefined> {
	const read = await settle(orAborted(readText(body), AbortSignal.timeout(MESSAGE_TIMEOUT)));
	return 'value' in read ? serviceMessage(parseJson(hideKey(read.value.text))) : undefined;
}
