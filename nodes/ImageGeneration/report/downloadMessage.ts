import type { DownloadFailure } from '../failures/failures';
import { endSentence } from '../failures/text';
import { notAnImageBecause } from '../images/imageType';
import type { FailureOf, Message } from './messages';

export const PAID = 'The image is finished and paid for.';
const BY_HAND = 'Open the link below in a browser.';
const ASK = 'Ask the service about the job.';

type Reason = DownloadFailure['reason'];
const TITLES: { [R in Reason]: (failure: DownloadFailure & { reason: R }) => string } = {
	'other host': ({ origin }) =>
		`The image was not downloaded because it is on another host, ${origin}.`,
	'key leak': ({ origin }) =>
		`The image was not downloaded because its link would send the API key to another host, ${origin}.`,
	'redirect loop': () => notDownloaded('its link redirects too many times'),
	'bad redirect': () => notDownloaded('its link redirects to something that is not a web address'),
	gone: ({ status }) => notDownloaded(`the service no longer has it (status ${status})`),
	status: ({ status }) => notDownloaded(`the service responded with status ${status}`),
	empty: () => 'The service returned an empty file.',
	'not an image': ({ claimed }) =>
		`The service returned a file that ${notAnImageBecause(claimed)}.`,
	incomplete: () => notDownloaded('it arrived incomplete'),
	'too large': () => notDownloaded('it is larger than 1 GiB'),
	timeout: () => "The image could not be downloaded in the time set by 'Timeout'.",
	blocked: ({ message }) => notDownloaded(`n8n blocked the request (${message})`),
	interrupted: ({ message }) => `The download was interrupted (${message}).`,
	'not stored': ({ message }) => notDownloaded(`n8n could not store it (${message})`),
};

/** How to get an image if opening its link is not all. */
const REMEDIES: Partial<Record<Reason, string>> = {
	'other host': `${BY_HAND} If you trust that host, turn on 'Allow Other Hosts'.`,
	'key leak': ASK,
	gone: ASK,
	timeout: `${BY_HAND} To allow more time, raise 'Timeout'.`,
	blocked: 'Open the link below in a browser, or ask your n8n administrator to allow its host.',
};

/** Explains why an image could not be downloaded. It never advises to run the item again, which would cost. */
export function downloadMessage(failure: FailureOf<'download'>): Message {
	const { reason, serviceMessage } = failure;
	// The row of a reason takes the failure with that reason, which TypeScript can't tell.
	const title = (TITLES[reason] as (failure: DownloadFailure) => string)(failure);
	return {
		title: serviceMessage === undefined ? title : `${endSentence(serviceMessage)} ${title}`,
		advice: `${PAID} ${remedyFor(failure)}`,
	};
}

function remedyFor(failure: DownloadFailure): string {
	if ('mayLackKey' in failure && failure.mayLackKey)
		return 'If the API key was part of the link, put it in place of ••• and open the link in a browser.';
	return REMEDIES[failure.reason] ?? BY_HAND;
}

function notDownloaded(why: string): string {
	return `The image could not be downloaded: ${why}.`;
}
