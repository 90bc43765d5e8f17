import type { Failure, JobReference } from '../failures/failures';
import { namesJob } from '../failures/retryDecision';
import { duration } from '../failures/text';
import {
	downloadMessage,
	MAYBE_CHARGED,
	PAID,
	rejectionAdvice,
	unexpectedResponseMessage,
	type FailureOf,
	type Message,
} from './responseMessages';

/** Explains a failure, independently of n8n's error classes. */
export function messageFor(failure: Failure): Message {
	switch (failure.kind) {
		case 'bad input':
		case 'not an image':
		case 'unexpected':
			return { title: failure.message, advice: failure.advice ?? '' };
		case 'limit reached':
			return limitMessage(failure);
		case 'not started':
			return { title: 'Not started because the run had already stopped', advice: '' };
		case 'canceled':
			return {
				title: 'The execution was canceled',
				advice: failure.hasUnclearRequests
					? 'Some requests were cut off and may have been charged. Check your account before you run the workflow again.'
					: 'No paid request was cut off. You can run the workflow again.',
			};
		case 'unreadable image':
			return {
				title: failure.message,
				advice:
					'The service never received the whole file. Run the node that outputs the file again.',
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
			return { title: messageFor(failure.refusal).title, advice: rateLimitAdvice(failure) };
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

function rateLimitAdvice({ asked, patience }: FailureOf<'rate limited'>): string {
	const why =
		asked === undefined
			? `The service has accepted no requests for ${duration(patience)}, the limit set by 'Timeout'.`
			: `The service asks you to wait ${duration(asked)}, longer than 'Timeout' allows.`;
	return `${why} Nothing was charged. Run the item again later, or raise 'Timeout'.`;
}

function limitMessage({ max, bought, needed, isTool }: FailureOf<'limit reached'>): Message {
	const before = bought === 0 ? '' : ` and this execution has already bought ${bought}`;
	return {
		title: `'Max Images' is ${max}${before}, but ${needed === 1 ? 'one more image is' : `${needed} more images are`} needed`,
		advice: isTool
			? 'No more images can be bought in this execution. Answer with those you have.'
			: "Nothing was sent. Raise 'Max Images' to allow more images in one execution.",
	};
}
