import { roomUnder, type Failure, type FailureOf, type JobReference } from '../failures/failures';
import { namesJob, retryDecision } from '../failures/retryDecision';
import { counted, duration } from '../values/text';
import { downloadMessage, PAID } from './downloadMessage';
import type { Message } from './message';
import { rejectionAdvice } from './rejectionAdvice';

const MAYBE_CHARGED =
	'You may have been charged. Check your account before you run this item again.';

/** Other requests of the same run may have been charged. */
const NOT_CHARGED = 'Nothing was charged for this request.';

/** What to do about an answer that is not the service's. */
export const FROM_ELSEWHERE =
	"It comes from a proxy, a firewall or another server. Check 'Base URL' in the credential, or ask your n8n administrator whether the address is blocked.";

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
		case 'awaited':
			return {
				title: 'The run was stopped while this image was being made',
				advice:
					'You were probably charged for it. The node still waits for it, and the next run that asks for the same image uses it.',
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
		case 'unreachable':
			return {
				title: `The service could not be reached (${failure.message})`,
				advice: `${NOT_CHARGED} Check 'Base URL' in the credential, your network, and any proxy or firewall.`,
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
				advice: namesJob(failure)
					? `${PAID} Open the link below.`
					: `${rejectionAdvice(failure)} ${chargeOf(failure)}`,
			};
		case 'intercepted':
			return interceptedMessage(failure);
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

/** The option that sets a limit. */
export function limitName({ per }: FailureOf<'limit reached'>): string {
	return per === 'day' ? 'Max Images per Day' : 'Max Images';
}

function limitMessage(failure: FailureOf<'limit reached'>): Message {
	const { max, bought, planned, needed, per } = failure;
	const more = needed === 1 ? 'one more image is' : `${needed} more images are`;
	const has =
		per === 'day'
			? `this node has bought ${bought} in the last 24 hours`
			: `this execution has already bought ${bought}`;
	const who = planned > 0 ? `${has} and is about to buy ${planned}` : has;
	return {
		title:
			bought + planned === 0
				? `'${limitName(failure)}' is ${max}, but ${needed} images are needed`
				: `'${limitName(failure)}' is ${max} and ${who}, but ${more} needed`,
		advice: limitAdvice(failure),
	};
}

function limitAdvice(failure: FailureOf<'limit reached'>): string {
	const { isTool, isNothingSent, per } = failure;
	const room = roomUnder(failure);
	const next = nextImage(failure);
	if (isTool) {
		const when = per === 'day' ? 'now' : 'in this execution';
		return room > 0
			? `Only ${counted(room, 'more image')} can be bought ${when}. Ask for no more than that.`
			: `No more images can be bought ${when}${next}. Answer with those you have.`;
	}
	const period = per === 'day' ? 'in 24 hours' : 'in one execution';
	const wait = next === '' ? '' : `, or wait${next}`;
	const raise = `Raise '${limitName(failure)}' to allow more images ${period}${wait}.`;
	if (!isNothingSent) return `This image was not bought. ${raise}`;
	const some = `To buy ${room} of them, set 'On Error' to 'Continue' in the node's settings.`;
	return `Nothing was sent. ${raise}${room > 0 ? ` ${some}` : ''}`;
}

/** The end of a sentence that says when a limit allows the next image; empty if only another limit does. */
function nextImage({ freeIn = 0 }: FailureOf<'limit reached'>): string {
	return freeIn <= 0 ? '' : `: the next image can be bought in about ${duration(freeIn)}`;
}

function rateLimitAdvice({ asked, patience }: FailureOf<'rate limited'>): string {
	const why =
		asked === undefined
			? `The service has accepted no requests for ${duration(patience)}, the limit set by 'Timeout'.`
			: `The service asks you to wait ${duration(asked)}, longer than 'Timeout' allows.`;
	return `${why} ${NOT_CHARGED} Run the item again later, or add the option 'Timeout' and set it higher.`;
}

/** Says what came instead of an answer of the service, which may not even have received the request. */
function interceptedMessage(failure: FailureOf<'intercepted'>): Message {
	const { status, returned } = failure;
	const came = returned.charAt(0).toUpperCase() + returned.slice(1);
	return {
		title: `${came} with status ${status} came instead of the service's answer`,
		advice: interceptedAdvice(failure),
	};
}

function interceptedAdvice(failure: FailureOf<'intercepted'>): string {
	const advice =
		failure.status === 413
			? 'The image is too large for a server in between. Make it smaller first.'
			: FROM_ELSEWHERE;
	return `${advice} ${chargeOf(failure)}`;
}

/** What an answer without a job says of the charge: by its status, the request was refused, or may have been done. */
function chargeOf(failure: FailureOf<'rejection' | 'intercepted'>): string {
	return retryDecision(failure) === 'unclear' ? MAYBE_CHARGED : NOT_CHARGED;
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
