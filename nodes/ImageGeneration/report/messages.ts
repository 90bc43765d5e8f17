import type { Failure, JobReference } from '../failures/failures';
import { namesJob, retryDecision } from '../failures/retryDecision';
import { duration } from '../failures/text';
import { downloadMessage, PAID } from './downloadMessage';
import type { FailureOf, Message } from './message';

const MAYBE_CHARGED =
	'You may have been charged. Check your account before you run this item again.';

/** Explains a failure, independently of n8n's error classes. */
export function messageFor(failure: Failure): Message {
	switch (failure.kind) {
		case 'bad input':
		case 'not an image':
		case 'canceled':
		case 'unexpected':
			return {
				title: failure.message,
				advice: failure.advice ?? '',
			};
		case 'limit reached':
			return limitMessage(failure);
		case 'not started':
			return {
				title: 'Not started because the run had already stopped',
				advice: '',
			};
		case 'insecure':
			return {
				title: `Could not establish a secure connection to the service (${failure.message})`,
				advice:
					"Nothing was sent. Check 'Base URL' in the credential: the host, and https:// or http://.",
			};
		case 'blocked':
			return {
				title: `n8n blocked the request (${failure.message})`,
				advice: "Nothing was sent. Ask your n8n administrator to allow the host in 'Base URL'.",
			};
		case 'no credential':
			return {
				title: `n8n could not read the credential (${failure.message})`,
				advice: 'Nothing was sent. Check that the credential still exists in n8n.',
			};
		case 'unreachable':
			return {
				title: `The service could not be reached (${failure.message})`,
				advice: "Nothing was charged. Check 'Base URL' in the credential, and your network.",
			};
		case 'timeout':
			return {
				title: "The service did not respond in the time set by 'Timeout'",
				advice: MAYBE_CHARGED,
			};
		case 'interrupted':
			return {
				title: `The connection closed before the service responded (${failure.message})`,
				advice: MAYBE_CHARGED,
			};
		case 'rejection':
			return {
				title:
					failure.serviceMessage ??
					`The service responded with status ${failure.status} and no message`,
				advice: namesJob(failure) ? `${PAID} Open the link below.` : rejectionAdvice(failure),
			};
		case 'rate limited':
			return {
				title: messageFor(failure.refusal).title,
				advice: rateLimitAdvice(failure),
			};
		case 'unexpected response':
			return unexpectedResponseMessage(failure);
		case 'download':
			return downloadMessage(failure);
	}
}

/** A line with the job's link and id; empty if neither is known. */
export function jobLine({ id, output_url }: JobReference = {}): string {
	return [output_url, id !== undefined && `(job ${id})`].filter(Boolean).join(' ');
}

function limitMessage({ max, bought, needed, isTool }: FailureOf<'limit reached'>): Message {
	const more = needed === 1 ? 'one more image is' : `${needed} more images are`;
	return {
		title:
			bought === 0
				? `'Max Images' is ${max}, but ${needed} images are needed`
				: `'Max Images' is ${max} and this execution has already bought ${bought}, but ${more} needed`,
		advice: isTool
			? 'No more images can be bought in this execution. Answer with those you have.'
			: "Nothing was sent. Raise 'Max Images' to allow more images in one execution.",
	};
}

function rateLimitAdvice({ asked, patience }: FailureOf<'rate limited'>): string {
	const why =
		asked === undefined
			? `The service has accepted no requests for ${duration(patience)}, the limit set by 'Timeout'.`
			: `The service asks you to wait ${duration(asked)}, longer than 'Timeout' allows.`;
	return `${why} Nothing was charged. Run the item again later, or raise 'Timeout'.`;
}

/** What to do about a rejected request (section 7), by its status. */
const REJECTIONS: Record<number, string> = {
	401: "The service does not accept the key. Check 'API Key' in the credential.",
	402: 'Your allowance and wallet are used up, or you have no subscription. Check your account.',
	403: 'The key has no API access, which requires a paid subscription. Subscribe, or use another key.',
	404: "The service does not have this tool. Check 'Base URL' in the credential.",
	408: MAYBE_CHARGED,
	413: 'The image is too large for the service. Make it smaller first.',
	415: 'The service does not accept this type of file. Convert it to JPG or PNG first.',
	429: "The service received too many requests. Lower 'Concurrency', raise 'Request Interval', or set 'Max Retries' above 0 so that the node waits and continues by itself.",
};

/** What to do about a request that was rejected with this status; undefined if the status does not tell. */
export function statusAdvice(status: number, location = 'another address'): string | undefined {
	if (status < 300 || status >= 400) return REJECTIONS[status];
	return `The service redirects to ${location.slice(0, 200)}. Set 'Base URL' in the credential to that address.`;
}

function rejectionAdvice(failure: FailureOf<'rejection'>): string {
	const isUnclear = retryDecision(failure) === 'unclear';
	const otherwise = isUnclear
		? `The service is having trouble. ${MAYBE_CHARGED}`
		: 'The service rejected the request. Check the fields of this item.';
	return statusAdvice(failure.status, failure.location) ?? otherwise;
}

/** Says what came instead of a job result, with every link and id in it. */
function unexpectedResponseMessage(failure: FailureOf<'unexpected response'>): Message {
	const { returned, serviceMessage, links = [], excerpt = '' } = failure;
	const description = `The service returned ${returned} instead of a job result`;
	const advice = [
		...(serviceMessage === undefined ? [] : [`${description}.`]),
		namesJob(failure)
			? 'The response names a job, so you were charged. Ask the service about this job.'
			: `Check 'Base URL' in the credential. ${MAYBE_CHARGED}`,
		...(links.length > 0 ? [`Links in the response: ${links.join(' ')}`] : []),
		...(excerpt === '' ? [] : [`The response begins: ${excerpt}`]),
	].join(' ');
	return { title: serviceMessage ?? description, advice };
}
