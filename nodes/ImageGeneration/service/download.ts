import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { DownloadFailure } from '../failures/failures';
import { safeFileName, withExtension } from '../images/fileName';
import { extensionOf, HEAD_BYTES, imageType } from '../images/imageType';
import { peek, shortText, type Readable } from '../images/readable';
import type { JobResult } from '../types';
import {
	badRedirect,
	interrupted,
	notAnImage,
	notStored,
	onOtherHost,
	badStatus,
} from './downloadFailures';
import type { Service } from './service';
import { withTimeLimit } from './timeLimit';

/** How an image is to be fetched. */
export interface DownloadRules {
	/** Whether other origins than the Base URL's will do. */
	allowOtherHosts: boolean;
	/** Seconds that the whole download may take. */
	timeout: number;
	/** The file's name; its extension follows the image's real type. */
	fileName: string;
}

interface FileAnswer {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Readable;
}

const MOST_REDIRECTS = 5;

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
	// The client's own timeout ends with the headers; a signal ends a body that drips for ever, too.
	// n8n sets the execution's signal for calls with a credential only (seen on 2.40.3).
	return await withTimeLimit(rules.timeout, context.getExecutionCancelSignal(), async (signal) => {
		try {
			const answer = await fileAnswer(context, service, job, rules, signal);
			return await store(context, service, job, answer, rules.fileName, signal);
		} catch (error) {
			const failure = error instanceof DownloadFailure ? error : interrupted(error, job, signal);
			throw failure;
		}
	});
}

async function fileAnswer(
	context: IExecuteFunctions,
	{ address, hideKey }: Service,
	job: JobResult,
	{ allowOtherHosts, timeout }: DownloadRules,
	signal: AbortSignal,
): Promise<FileAnswer> {
	let url = new URL(job.output_url);
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
		if (url.origin !== address.origin && !allowOtherHosts) {
			throw onOtherHost(hideKey(url.origin), job);
		}
		const answer = (await context.helpers.httpRequest({
			method: 'GET',
			url: url.href,
			headers: { Accept: 'image/*,*/*;q=0.5' },
			encoding: 'stream',
			timeout: timeout * 1000,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			abortSignal: signal,
		})) as FileAnswer;
		const { statusCode, headers, body } = answer;
		if (statusCode === 200) return answer;
		if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
			throw badStatus(statusCode, hideKey(await shortText(body)), headers['retry-after'], job);
		}
		body.destroy();
		url = target(headers.location, url, job);
	}
	throw badRedirect('from one to the next without end', job);
}

function target(location: string, from: URL, job: JobResult): URL {
	const url = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
	if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url;
	throw badRedirect('to no web address', job);
}

async function store(
	context: IExecuteFunctions,
	{ hideKey }: Service,
	job: JobResult,
	{ headers, body }: FileAnswer,
	fileName: string,
	signal: AbortSignal,
): Promise<IBinaryData> {
	const claimed = headers['content-type'];
	const head = await peek(body, HEAD_BYTES);
	const type = imageType(head, claimed);
	if (type === undefined) {
		const text = hideKey(body.readableEnded ? head.toString('utf8') : await shortText(body));
		throw notAnImage(head.length === 0, claimed && hideKey(claimed), text, job);
	}
	const name = withExtension(safeFileName(fileName), extensionOf(type));
	try {
		// An image that came whole when its first bytes were looked at; the stream has nothing left.
		const content = body.readableEnded ? head : body;
		return await context.helpers.prepareBinaryData(content, name, type);
	} catch (error) {
		// A storage that fails ends the stream, too, but with another error than its own.
		const isCut = signal.aborted || (body.errored !== null && isOf(error, body.errored));
		const failure = isCut ? error : notStored(error, job);
		throw failure;
	}
}

/** Whether an error is another one, or was raised because of it, as with binary data in memory. */
function isOf(error: unknown, source: Error): boolean {
	return error === source || (error instanceof Error && error.cause === source);
}
