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

/** What a person reads when an item could not be delivered. */
export interface Message {
	/** What happened; the service's own words where it gave any. */
	title: string;
	/** What to do about it. */
	advice: string;
	/** The HTTP status, if there was an answer. */
	status?: number;
	/** The service's own `err` or `status` (section 7). */
	serviceMessage?: string;
	/** The job, if there is one. */
	job: JobReference;
}

const PAID = 'The image is done and paid for.';
const ASK_ABOUT_JOB =
	'The service names a job, so the call is paid for: ask the service about the job.';
const MAYBE_CHARGED =
	'This call may have been charged: look into your account before you run the item again.';

/** Words a failure, free of n8n. */
export function messageFor(failure: unknown): Message {
	if (failure instanceof BadInput) {
		return { title: failure.message, advice: failure.advice ?? 'Nothing was sent.', job: {} };
	}
	if (failure instanceof ServiceRejection) return refusal(failure);
	if (failure instanceof UnexpectedResponse) return strangeAnswer(failure);
	if (failure instanceof ConnectionFailure) return { ...noAnswer(failure), job: {} };
	if (failure instanceof Canceled) {
		const advice = failure.callsCut
			? 'Calls were under way and may have been charged: look into your account before you run the workflow again.'
			: 'No call was cut off that may have been charged.';
		return { title: failure.message, advice, job: {} };
	}
	if (failure instanceof UnreadableImage) {
		return { title: failure.message, advice: 'The service never had it whole.', job: {} };
	}
	if (failure instanceof DownloadFailure) return downloadFailure(failure);
	if (failure instanceof LimitReached) return { ...limitReached(failure), job: {} };
	return { ...unknownFailure(failure), job: {} };
}

/** The job as a line to copy from; empty where there is none. */
export function jobLine({ id, output_url }: JobReference): string {
	return [output_url, id !== undefined && `(job ${id})`].filter(Boolean).join(' ');
}

function refusal(failure: ServiceRejection): Message {
	const { status, serviceMessage, location, job } = failure;
	const isPaid = job.output_url !== undefined;
	return {
		title: serviceMessage ?? `The service answered with status ${status} and no words of its own`,
		advice: isPaid
			? `${PAID} Open the link below.`
			: failure instanceof RateLimited
				? rateLimitAdvice(failure)
				: refusalAdvice(status, location),
		status,
		...(serviceMessage !== undefined && { serviceMessage }),
		job,
	};
}

function refusalAdvice(status: number, location: string | undefined): string {
	if (status >= 300 && status < 400) {
		const where = location === undefined ? 'another address' : location.slice(0, 200);
		return `The service sends on to ${where}. The key does not follow: enter the right address as Base URL of the credential.`;
	}
	const advice: Record<number, string> = {
		401: 'The service does not accept the key: check API Key in the credential.',
		402: 'The allowance and the wallet are used up, or there is no subscription: see your account.',
		403: 'The key has no access: API access needs a paid subscription.',
		404: 'The service has no such tool: check Base URL in the credential.',
		413: 'The image is too large for the service: make it smaller first.',
		415: 'The service does not take this type of file: convert it to JPG or PNG first.',
		429: "The service asks for fewer calls: lower Concurrency or raise Request Interval. If 'Max Retries' is above 0, the node waits and goes on by itself.",
	};
	if (status === 408) return MAYBE_CHARGED;
	if (status >= 500) return `The service has trouble of its own. ${MAYBE_CHARGED}`;
	return advice[status] ?? 'The service refused the request: check the fields of this item.';
}

function rateLimitAdvice({ asked, patience }: RateLimited): string {
	const why =
		asked === undefined
			? `The service has taken no call for ${duration(patience)}, as long as the option 'Timeout' allows.`
			: `The service asks to wait ${duration(asked)}, longer than the option 'Timeout' allows.`;
	return `${why} Nothing was charged: run the item again later, or raise 'Timeout'.`;
}

function strangeAnswer({ what, serviceMessage, job, status, traces }: UnexpectedResponse): Message {
	const title = `The service answered with ${what} instead of a job result`;
	const isPaid = Object.keys(job).length > 0;
	const advice = isPaid ? ASK_ABOUT_JOB : `Check Base URL in the credential. ${MAYBE_CHARGED}`;
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

function noAnswer({ kind, message }: ConnectionFailure): Pick<Message, 'title' | 'advice'> {
	switch (kind) {
		case 'insecure':
			return {
				title: `There is no secure connection to the service (${message})`,
				advice:
					'Nothing was sent. Check https:// or http:// and the host in Base URL of the credential.',
			};
		case 'blocked':
			return {
				title: `n8n did not make the call (${message})`,
				advice:
					'Nothing was sent. Ask whoever runs this n8n to allow the host in Base URL of the credential.',
			};
		case 'no credential':
			return {
				title: `n8n could not read the credential (${message})`,
				advice: 'Nothing was sent. Open the credential in n8n to see whether it is still there.',
			};
		case 'unreachable':
			return {
				title: `The service could not be reached (${message})`,
				advice: 'Nothing was charged. Check Base URL in the credential, and the network.',
			};
		case 'timeout':
			return {
				title: 'The service did not answer in the time that the option Timeout allows',
				advice: MAYBE_CHARGED,
			};
		case 'interrupted':
			return {
				title: `The connection ended before the service answered (${message})`,
				advice: MAYBE_CHARGED,
			};
	}
}

function downloadFailure({ message, job, facts }: DownloadFailure): Message {
	const { advice, status, serviceMessage } = facts;
	return {
		title: serviceMessage === undefined ? message : `${endSentence(serviceMessage)} ${message}`,
		advice: `${PAID} ${advice}`,
		...(status !== undefined && { status }),
		...(serviceMessage !== undefined && { serviceMessage }),
		job: referenceTo(job),
	};
}

function limitReached({ max, bought, needed }: LimitReached): Pick<Message, 'title' | 'advice'> {
	const before = bought === 0 ? '' : `, and this execution has already bought ${bought}`;
	return {
		title: `'Max Images' is ${max}${before}; ${needed === 1 ? 'one more image is' : `${needed} more images are`} wanted`,
		advice: "Nothing was sent. Raise 'Max Images' to allow more images in one execution.",
	};
}

/** One that n8n raised itself, as for an expression that can't be evaluated. */
function unknownFailure(failure: unknown): Pick<Message, 'title' | 'advice'> {
	const { message, description } = Object(failure) as { message?: unknown; description?: unknown };
	return {
		title: typeof message === 'string' ? message : String(failure),
		advice: typeof description === 'string' ? description : '',
	};
}
