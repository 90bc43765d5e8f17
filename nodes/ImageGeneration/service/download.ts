import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { Failed, toFailure, type DownloadFailure } from '../failures/failures';
import type { JobResult } from '../types';
import { toConnectionFailure } from './connectionFailure';
import { Deadline } from './deadline';
import { realLink } from './jobResults';
import { BLANK } from './key';
import type { Service } from './service';
import { messageIn, storeImage, type ImageResponse } from './storeImage';

/** How an image is downloaded. */
export interface DownloadRules {
	/** The file's name, without its extension. */
	fileName: string;
	/** Whether origins other than the Base URL's are allowed. */
	allowOtherHosts: boolean;
	/** Time limit of the whole download, in seconds. */
	timeout: number;
}

const MOST_REDIRECTS = 5;
const LONGEST_LOCATION = 8192;

/**
 * Streams the image of a finished job into n8n's storage. The header with the key is not sent, and a
 * link that contains the key goes only to the Base URL's origin. Unless other hosts are allowed, the
 * link and its redirects must stay there.
 * @throws Failed with a {@link DownloadFailure}.
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
		const failure = toFailure(error);
		const isKnown = failure.kind === 'download';
		const failed = new Failed(isKnown ? failure : interruption(error, service, deadline));
		throw failed;
	} finally {
		// Closes all connections, even those of redirects, whose bodies were not read.
		deadline.end();
	}
}

function interruption(error: unknown, service: Service, { isOver }: Deadline): DownloadFailure {
	if (isOver) return { kind: 'download', reason: 'timeout' };
	const { kind, message } = toConnectionFailure(error, service);
	return { kind: 'download', reason: kind === 'blocked' ? 'blocked' : 'interrupted', message };
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
			const hasKey = service.hideKey(url.href) !== url.href;
			const reason = rules.allowOtherHosts ? hasKey && 'key leak' : 'other host';
			if (reason) throw new Failed({ kind: 'download', reason, origin });
		}
		const response = await request(context, url, deadline.signal);
		const { statusCode, headers, body } = response;
		if (statusCode === 200) return await storeImage(context, service, rules.fileName, response);
		if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
			throw new Failed({
				...{ kind: 'download', reason: 'status', status: statusCode },
				mayLackKey: link === undefined && job.output_url.includes(BLANK),
				serviceMessage: await messageIn(body, service),
				retryAfter: headers['retry-after'],
			});
		}
		url = redirectTarget(headers.location, url);
	}
	throw new Failed({ kind: 'download', reason: 'redirect loop' });
}

async function request(
	context: IExecuteFunctions,
	url: URL,
	abortSignal: AbortSignal,
): Promise<ImageResponse> {
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
	})) as ImageResponse;
	// An aborted request emits an error on its stream, even if nothing reads it.
	response.body.on('error', () => {});
	return response;
}

function redirectTarget(location: string, from: URL): URL {
	const isShort = location.length <= LONGEST_LOCATION;
	const url = isShort && URL.canParse(location, from.href) && new URL(location, from.href);
	if (url && ['http:', 'https:'].includes(url.protocol)) return url;
	throw new Failed({ kind: 'download', reason: 'bad redirect' });
}
