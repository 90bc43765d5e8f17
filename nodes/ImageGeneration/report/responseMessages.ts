import type { Failure } from '../failures/failures';
import { namesJob, retryDecision } from '../failures/retryDecision';
import { endSentence } from '../failures/text';
import { notAnImageBecause } from '../images/imageType';

/** What users read about a job that was not delivered. */
export interface Message {
	/** What happened; the service's message if it sent one. */
	title: string;
	/** What to do about it. */
	advice: string;
}

export const PAID = 'The image is finished and paid for.';
export const MAYBE_CHARGED =
	'You may have been charged. Check your account before you run this item again.';

/** A failure of one kind. */
export type FailureOf<Kind> = Extract<Failure, { kind: Kind }>;

/** What to do about a rejected request (section 7). */
export function rejectionAdvice(failure: FailureOf<'rejection'>): string {
	const { status, location } = failure;
	if (status === 408) return MAYBE_CHARGED;
	if (retryDecision(failure) === 'unclear')
		return `The service is having trouble. ${MAYBE_CHARGED}`;
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
	return advice[status] ?? 'The service rejected the request. Check the fields of this item.';
}

export const REFUSED_KEY = "The key was not accepted. Check 'API Key'.";
export const NO_ACCESS = 'The key has no API access, which requires a paid subscription.';

/** What the status of a credential test means on its own; undefined if the service's message decides. */
export function credentialAdvice(status: number, origin: string): string | undefined {
	const advice: Record<number, string> = {
		401: REFUSED_KEY,
		402: NO_ACCESS,
		403: NO_ACCESS,
		429: 'Too many requests at the moment. Test again later.',
	};
	if (status >= 500) return `The service is having trouble (status ${status}). Test again later.`;
	if (status < 300 || status >= 400) return advice[status];
	return `${origin} redirects to another address. Set 'Base URL' to that address.`;
}

/** Says what came instead of a job result, with every link and id in it. */
export function unexpectedResponseMessage(failure: FailureOf<'unexpected response'>): Message {
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

const BY_HAND = 'Open the link below in a browser.';
const ASK = { advice: 'Ask the service about the job.' };

/** Explains why an image could not be downloaded. It never advises to run the item again, which would cost. */
export function downloadMessage(failure: FailureOf<'download'>): Message {
	const { serviceMessage } = failure;
	const { title, advice } = reasonOf(failure);
	return {
		title: serviceMessage === undefined ? title : `${endSentence(serviceMessage)} ${title}`,
		advice: `${PAID} ${advice}`,
	};
}

function reasonOf(failure: FailureOf<'download'>): Message {
	switch (failure.reason) {
		case 'other host':
			return {
				title: `The image was not downloaded because it is on another host, ${failure.origin}.`,
				advice: `${BY_HAND} If you trust that host, turn on 'Allow Other Hosts'.`,
			};
		case 'key leak':
			return {
				title: `The image was not downloaded because its link would send the API key to another host, ${failure.origin}.`,
				...ASK,
			};
		case 'redirect loop':
			return notDownloaded('its link redirects too many times');
		case 'bad redirect':
			return notDownloaded('its link redirects to something that is not a web address');
		case 'status': {
			const { status, mayLackKey } = failure;
			const isGone = status === 404 || status === 410;
			const gone = `the service no longer has it (status ${status})`;
			const message = notDownloaded(isGone ? gone : `the service responded with status ${status}`);
			if (!mayLackKey) return { ...message, ...(isGone && ASK) };
			return {
				...message,
				advice:
					'If the API key was part of the link, put it in place of ••• and open the link in a browser.',
			};
		}
		case 'empty':
			return { title: 'The service returned an empty file.', advice: BY_HAND };
		case 'not an image':
			return {
				title: `The service returned a file that ${notAnImageBecause(failure.claimed)}.`,
				advice: BY_HAND,
			};
		case 'incomplete':
			return notDownloaded('it arrived incomplete');
		case 'too large':
			return notDownloaded('it is larger than 1 GiB');
		case 'timeout':
			return {
				title: "The image could not be downloaded in the time set by 'Timeout'.",
				advice: `${BY_HAND} To allow more time, raise 'Timeout'.`,
			};
		case 'blocked':
			return {
				...notDownloaded(`n8n blocked the request (${failure.message})`),
				advice:
					'Open the link below in a browser, or ask your n8n administrator to allow its host.',
			};
		case 'interrupted':
			return { title: `The download was interrupted (${failure.message}).`, advice: BY_HAND };
		case 'not stored':
			return notDownloaded(`n8n could not store it (${failure.message})`);
	}
}

function notDownloaded(why: string): Message {
	return { title: `The image could not be downloaded: ${why}.`, advice: BY_HAND };
}
