import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { DownloadFailure } from '../failures/failures';
import { BadImage, CheckedImage } from '../images/checkedImage';
import { safeFileName, withExtension } from '../images/fileName';
import { extensionOf, HEAD_BYTES, imageType } from '../images/imageType';
import { peek, readText, type Readable } from '../images/readable';
import type { JobResult } from '../types';
import { Deadline } from './deadline';
import {
	badImage,
	badRedirect,
	badStatus,
	interrupted,
	notAnImage,
	notStored,
	onOtherHost,
} from './downloadFailures';
import { MAX_IMAGE_BYTES, MAX_MESSAGE_BYTES, MESSAGE_TIMEOUT } from './limits';
import type { Service } from './service';

/** How an image is downloaded. */
export interface DownloadRules {
	/** Whether other origins than the Base URL's will do. */
	allowOtherHosts: boolean;
	/** Seconds that the whole download may take. */
	timeout: number;
	/** The file's name; its extension follows the image's real type. */
	fileName: string;
	/** The largest image that is taken, in bytes. */
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
 * Streams the image of a finished job into n8n's storage. No key goes along, and unless other
 * hosts are allowed everything stays on the Base URL's origin, redirects included.
 * @throws DownloadFailure with the job in it; nothing that was paid for is lost.
 */
export async function download(
	context: IExecuteFunctions,
	service: Service,
	job: JobResult,
	rules: DownloadRules,
): Promise<IBinaryData> {
	// n8n sets the execution's signal for calls with a credential only (seen on 2.40.3).
	const deadline = new Deadline(rules.timeout, context.getExecutionCancelSignal());
	try {
		return await follow(context, service, job, rules, deadline);
	} catch (error) {
		const failure =
			error instanceof DownloadFailure
				? error
				: interrupted(error, job, deadline.isOver, service.hideKey);
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
	let url = new URL(service.revealLink(job.output_url));
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
		if (url.origin !== service.baseUrl.origin && !rules.allowOtherHosts) {
			throw onOtherHost(service.hideKey(url.origin), job);
		}
		// Of its own, so that its connection ends with it, whatever is left of its body.
		const hop = new AbortController();
		try {
			const response = await request(context, url, AbortSignal.any([deadline.signal, hop.signal]));
			const { statusCode, headers, body } = response;
			if (statusCode === 200) return await store(context, service, job, rules, response);
			if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
				const said = await shortText(body, service);
				throw badStatus(statusCode, said, headers['retry-after'], job);
			}
			url = target(headers.location, url, job);
		} finally {
			hop.abort();
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
		// The deadline has it.
		timeout: 0,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		abortSignal,
	})) as FileResponse;
	// An aborted request says so on its stream, even if nobody reads that any more.
	response.body.on('error', () => {});
	return response;
}

function target(location: string, from: URL, job: JobResult): URL {
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
		const said = body.readableEnded
			? service.hideKey(head.toString('utf8'))
			: await shortText(body, service);
		throw notAnImage(head.length === 0, claimed, said, job);
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

/** A text to its end; empty if it is longer than a message, late, or breaks off. */
async function shortText(body: Readable, { hideKey }: Service): Promise<string> {
	const deadline = new Deadline(MESSAGE_TIMEOUT);
	try {
		const { text, isCut } = await deadline.wait(readText(body, MAX_MESSAGE_BYTES));
		return isCut === undefined ? hideKey(text) : '';
	} catch {
		return '';
	} finally {
		deadline.end();
	}
}
