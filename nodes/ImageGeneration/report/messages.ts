import { endSentence } from '../failures/endSentence';
import {
	BadInput,
	Canceled,
	DownloadFailure,
	LimitReached,
	ConnectionFailure,
	RateLimited,
	referenceTo,
	ServiceRejection,
	UnexpectedResponse,
	UnreadableImage,
	type JobReference,
} from '../failures/failures';
import { duration } from './duration';

/** What users read about a job that was not delivered. */
export interface Message {
	/** What happened; the service's message if it sent one. */
	title: string;
	/** What to do about it. */
	advice: string;
	/** The HTTP status, if there was a response. */
	status?: number;
	/** The service's `err` or `status` (section 7). */
	serviceMessage?: string;
	/** Empty if no job is known. */
	job: JobReference;
}

const PAID = 'The image is finished and paid for.';
const ASK_ABOUT_JOB =
	'The response names a job, so you were charged. Ask the service about this job.';
const MAYBE_CHARGED =
	'You may have been charged. Check your account before you run this item again.';

/** Explains a failure, independently of n8n's error classes. */
export function messageFor(failure: unknown): Message {
	if (failure instanceof BadInput) {
		return { title: failure.message, advice: failure.advice, job: {} };
	}
	if (failure instanceof ServiceRejection) return rejectionMessage(failure);
	if (failure instanceof UnexpectedResponse) return unexpectedResponseMessage(failure);
	if (failure instanceof ConnectionFailure) return { ...connectionMessage(failure), job: {} };
	if (failure instanceof Canceled) {
		const advice = failure.hasUnclearRequests
			? 'Some requests were cut off and may have been charged. Check your account before you run the workflow again.'
			: 'No paid request was cut off. You can run the workflow again.';
		return { title: failure.message, advice, job: {} };
	}
	if (failure instanceof UnreadableImage) {
		return {
			title: failure.message,
			advice:
				'The service never received the whole file. Run the node that outputs the file again.',
			job: {},
		};
	}
	if (failure instanceof DownloadFailure) return downloadMessage(failure);
	if (failure instanceof LimitReached) return { ...limitMessage(failure), job: {} };
	return { ...unknownMessage(failure), job: {} };
}

/** A line with the job's link and id; empty if neither is known. */
export function jobLine({ id, output_url }: JobReference): string {
	return [output_url, id !== undefined && `(job ${id})`].filter(Boolean).join(' ');
}

function rejectionMessage(failure: ServiceRejection): Message {
	const { status, serviceMessage, location, job } = failure;
	const isPaid = job.output_url !== undefined;
	return {
		title: serviceMessage ?? `The service responded with status ${status} and no message`,
		advice: isPaid
			? `${PAID} Open the link below.`
			: failure instanceof RateLimited
				? rateLimitAdvice(failure)
				: adviceForStatus(status, location),
		status,
		...(serviceMessage !== undefined && { serviceMessage }),
		job,
	};
}

function adviceForStatus(status: number, location: string | undefined): string {
	if (status >= 300 && status < 400) {
		const where = location === undefined ? 'another address' : location.slice(0, 200);
		return `The service redirects to ${where}. Set 'Base URL' in the credential to that address.`;
	}
	const advice: Record<number, string> = {
		401: "The service does not accept the key. Check 'API Key' in the credential.",
		402: 'Your allowance and wallet are used up, or you have no subscription. Check your account.',
		403: 'The key has no API access, which requires a paid subscription. Subscribe, or use another key.',
		404: "The service does not have this tool. Check 'Base URL' in the credential.",
		413: 'The image is too large for the service. Make it smaller first.',
		415: 'The service does not accept this type of file. Convert it to JPG or PNG first.',
		429: "The service received too many requests. Lower 'Concurrency', raise 'Request Interval', or set 'Max Retries' above 0 so that the node waits and continues by itself.",
	};
	if (status === 408) return MAYBE_CHARGED;
	if (status >= 500) return `The service is having trouble. ${MAYBE_CHARGED}`;
	return advice[status] ?? 'The service rejected the request. Check the fields of this item.';
}

function rateLimitAdvice({ asked, patience }: RateLimited): string {
	const why =
		asked === undefined
			? `The service has accepted no requests for ${duration(patience)}, the limit set by 'Timeout'.`
			: `The service asks you to wait ${duration(asked)}, longer than 'Timeout' allows.`;
	return `${why} Nothing was charged. Run the item again later, or raise 'Timeout'.`;
}

function unexpectedResponseMessage({
	what,
	serviceMessage,
	job,
	status,
	traces,
}: UnexpectedResponse): Message {
	const title = `The service returned ${what} instead of a job result`;
	const isPaid = Object.keys(job).length > 0;
	const advice = isPaid ? ASK_ABOUT_JOB : `Check 'Base URL' in the credential. ${MAYBE_CHARGED}`;
	const found = tracesLine(traces);
	if (serviceMessage === undefined) return { title, advice: advice + found, status, job };
	return {
		title: serviceMessage,
		advice: `${title}. ${advice}${found}`,
		status,
		serviceMessage,
		job,
	};
}

function tracesLine({ links, excerpt }: UnexpectedResponse['traces']): string {
	return [
		links.length > 0 && ` Links in the response: ${links.join(' ')}`,
		excerpt !== '' && ` The response begins: ${excerpt}`,
	]
		.filter(Boolean)
		.join('');
}

function connectionMessage({
	kind,
	message,
}: ConnectionFailure): Pick<Message, 'title' | 'advice'> {
	switch (kind) {
		case 'insecure':
			return {
				title: `Could not establish a secure connection to the service (${message})`,
				advice:
					"Nothing was sent. Check 'Base URL' in the credential: the host, and https:// or http://.",
			};
		case 'blocked':
			return {
				title: `n8n blocked the request (${message})`,
				advice: "Nothing was sent. Ask your n8n administrator to allow the host in 'Base URL'.",
			};
		case 'no credential':
			return {
				title: `n8n could not read the credential (${message})`,
				advice: 'Nothing was sent. Check that the credential still exists in n8n.',
			};
		case 'unreachable':
			return {
				title: `The service could not be reached (${message})`,
				advice: "Nothing was charged. Check 'Base URL' in the credential, and your network.",
			};
		case 'timeout':
			return {
				title: "The service did not respond in the time set by 'Timeout'",
				advice: MAYBE_CHARGED,
			};
		case 'interrupted':
			return {
				title: `The connection closed before the service responded (${message})`,
				advice: MAYBE_CHARGED,
			};
	}
}

function downloadMessage({ message, job, details }: DownloadFailure): Message {
	const { advice, status, serviceMessage } = details;
	return {
		title: serviceMessage === undefined ? message : `${endSentence(serviceMessage)} ${message}`,
		advice: `${PAID} ${advice}`,
		...(status !== undefined && { status }),
		...(serviceMessage !== undefined && { serviceMessage }),
		job: referenceTo(job),
	};
}

function limitMessage({
	max,
	bought,
	needed,
	isTool,
}: LimitReached): Pick<Message, 'title' | 'advice'> {
	const before = bought === 0 ? '' : ` and this execution has already bought ${bought}`;
	return {
		title: `'Max Images' is ${max}${before}, but ${needed === 1 ? 'one more image is' : `${needed} more images are`} needed`,
		advice: isTool
			? 'No more images can be bought in this execution. Answer with those you have.'
			: "Nothing was sent. Raise 'Max Images' to allow more images in one execution.",
	};
}

/** For what n8n throws itself, such as for an expression that can't be evaluated. */
function unknownMessage(failure: unknown): Pick<Message, 'title' | 'advice'> {
	const { message, description } = Object(failure) as { message?: unknown; description?: unknown };
	return {
		title: typeof message === 'string' ? message : String(failure),
		advice: typeof description === 'string' ? description : '',
	};
}
