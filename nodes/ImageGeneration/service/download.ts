import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { DownloadFailure } from '../failures/failures';
import { BadImage, CheckedImage } from '../images/checkedImage';
import { safeFileName, withExtension } from '../images/fileName';
import { extensionOf, HEAD_BYTES, imageType } from '../images/imageType';
import { peek, readText, type Readable } from '../images/readable';
import type { JobResult } from '../types';
import { toConnectionFailure } from './connectionFailure';
import { Deadline, REQUEST_ENDED } from './deadline';
import {
	badImage,
	badRedirect,
	badStatus,
	interrupted,
	keyOnOtherHost,
	notAnImage,
	notStored,
	onOtherHost,
	withHiddenKey,
} from './downloadFailures';
import { BLANK } from './key';
import { MAX_IMAGE_BYTES, MAX_MESSAGE_BYTES, MESSAGE_TIMEOUT } from './limits';
import { orAborted } from './orAborted';
import { realLink } from './realLinks';
import type { Service } from './service';

/** How an image is downloaded. */
export interface DownloadRules {
	/** Whether origins other than the Base URL's are allowed. */
	allowOtherHosts: boolean;
	/** Time limit of the whole download, in seconds. */
	timeout: number;
	/** The file's name; the extension is set from the image's actual type. */
	fileName: string;
	/** The largest allowed image, in bytes. */
	maxBytes?: number;
}

interface FileResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Readable;
}

const MOST_REDIRECTS = 5;
const LONGEST_LOCATION = 8192;

/**
 * Streams the image of a finished job into n8n's storage. The header with the key is not sent, and a
 * link that contains the key goes only to the Base URL's origin. Unless other hosts are allowed, the
 * link and its redirects must stay there.
 * @throws DownloadFailure with the job, so that its image is not lost.
 */
export async function download(
	context: IExecuteFunctions,
	service: Service,
	job: JobResult,
	rules: DownloadRules,
): Promise<IBinaryData> {
	// n8n sets the execution's signal only for requests with a credential (2.40.3).
	const deadline = new Deadline(rules.timeout, context.getExecutionCancelSignal());
	try {
		return await follow(context, service, job, rules, deadline);
	} catch (error) {
		const failure =
			error instanceof DownloadFailure
				? error
				: interrupted(toConnectionFailure(error, service), job, deadline.isOver);
		throw failure;
	} finally {
		deadline.end();
	}
}

async function follow(
	context: IExecuteFunctions,
	service: Service,
	job: JobResult,
	rules: DownloadRules,
	deadline: Deadline,
): Promise<IBinaryData> {
	const link = realLink(job);
	let url = new URL(link ?? job.output_url);
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
		if (url.origin !== service.baseUrl.origin) {
			const origin = service.hideKey(url.origin);
			if (!rules.allowOtherHosts) throw onOtherHost(origin, job);
			if (service.hideKey(url.href) !== url.href) throw keyOnOtherHost(origin, job);
		}
		// Closes the connection of each hop, even if its body was not read.
		const hop = new AbortController();
		try {
			const response = await request(context, url, AbortSignal.any([deadline.signal, hop.signal]));
			const { statusCode, headers, body } = response;
			if (statusCode === 200) return await store(context, service, job, rules, response);
			if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
				const message = await shortText(body, service);
				const failure = badStatus(statusCode, message, headers['retry-after'], job);
				const isStored = link === undefined && job.output_url.includes(BLANK);
				throw isStored ? withHiddenKey(failure) : failure;
			}
			url = redirectTarget(headers.location, url, job);
		} finally {
			hop.abort(REQUEST_ENDED);
		}
	}
	throw badRedirect('too many times', job);
}

async function request(
	context: IExecuteFunctions,
	url: URL,
	abortSignal: AbortSignal,
): Promise<FileResponse> {
	const response = (await context.helpers.httpRequest({
		method: 'GET',
		url: url.href,
		headers: { Accept: 'image/*,*/*;q=0.5' },
		encoding: 'stream',
		// The deadline limits the time.
		timeout: 0,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		abortSignal,
	})) as FileResponse;
	// An aborted request emits an error on its stream, even if nothing reads it.
	response.body.on('error', () => {});
	return response;
}

function redirectTarget(location: string, from: URL, job: JobResult): URL {
	const isShort = location.length <= LONGEST_LOCATION;
	const url = isShort && URL.canParse(location, from.href) && new URL(location, from.href);
	if (url && ['http:', 'https:'].includes(url.protocol)) return url;
	throw badRedirect('to something that is not a web address', job);
}

async function store(
	context: IExecuteFunctions,
	service: Service,
	job: JobResult,
	{ fileName, maxBytes = MAX_IMAGE_BYTES }: DownloadRules,
	{ headers, body }: FileResponse,
): Promise<IBinaryData> {
	const claimed = service.hideKey(headers['content-type'] ?? '');
	const length = Number(headers['content-length'] ?? NaN);
	if (length > maxBytes) throw badImage('too large', maxBytes, job);
	const head = await peek(body, HEAD_BYTES);
	const type = imageType(head, claimed);
	if (type === undefined) {
		const message = body.readableEnded
			? service.hideKey(head.toString('utf8'))
			: await shortText(body, service);
		throw notAnImage(head.length === 0, claimed, message, job);
	}
	const name = withExtension(safeFileName(fileName), extensionOf(type));
	const image = new CheckedImage(body, { type, head, length, maxBytes });
	try {
		return await context.helpers.prepareBinaryData(image.toStream(), name, type);
	} catch (error) {
		const { failure } = image;
		const why = failure === undefined ? notStored(error, job) : failure;
		throw why instanceof BadImage ? badImage(why.reason, maxBytes, job) : why;
	}
}

/** Reads a short text; empty if it is too long, too slow or incomplete. */
async function shortText(body: Readable, { hideKey }: Service): Promise<string> {
	const deadline = new Deadline(MESSAGE_TIMEOUT);
	try {
		const { text, incomplete } = await orAborted(
			readText(body, MAX_MESSAGE_BYTES),
			deadline.signal,
		);
		return incomplete === undefined ? hideKey(text) : '';
	} catch {
		return '';
	} finally {
		deadline.end();
	}
}
