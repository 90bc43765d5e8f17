import type { DownloadFailure, FailureOf } from '../failures/failures';
import { isDeadLink } from '../failures/retryDecision';
import { notAnImageBecause } from '../images/imageType';
import { endSentence } from '../values/text';
import type { Message } from './message';

export const PAID = 'The image is finished and paid for.';
const BY_HAND = 'Open the link below in a browser.';
const BUYS_AGAIN = 'As long as its link gives no image, the next run buys it again.';

/** Explains why an image could not be downloaded, and says so if another run would buy it again. */
export function downloadMessage(failure: FailureOf<'download'>): Message {
	const { serviceMessage } = failure;
	const title = titleFor(failure);
	return {
		title: serviceMessage === undefined ? title : `${endSentence(serviceMessage)} ${title}`,
		advice: isDeadLink(failure)
			? `${PAID} ${remedyFor(failure)} ${BUYS_AGAIN}`
			: `${PAID} ${remedyFor(failure)}`,
	};
}

function titleFor(failure: FailureOf<'download'>): string {
	switch (failure.reason) {
		case 'other host':
			return `The image was not downloaded because it is on another host, ${failure.origin}.`;
		case 'redirect loop':
			return notDownloaded('its link redirects too many times');
		case 'bad redirect':
			return notDownloaded('its link redirects to something that is not a web address');
		case 'gone':
			// The service's own words come first, and say it already.
			return failure.serviceMessage === undefined
				? notDownloaded(`the service no longer has it (status ${failure.status})`)
				: `The image could not be downloaded (status ${failure.status}).`;
		case 'status':
			return notDownloaded(`its link returned status ${failure.status}`);
		case 'empty':
			return 'The service returned an empty file.';
		case 'not an image':
			return `The service returned a file that ${notAnImageBecause(failure.claimed)}.`;
		case 'too large':
			return notDownloaded('it is larger than 1 GiB');
		case 'timeout':
			return "The image could not be downloaded in the time set by 'Timeout'.";
		case 'blocked':
			return notDownloaded(`n8n blocked the request (${failure.message})`);
		case 'interrupted':
			return `The download was interrupted (${failure.message}).`;
		case 'not stored':
			return notDownloaded(`n8n could not store it (${failure.message})`);
	}
}

/** How to get the image. */
function remedyFor(failure: DownloadFailure): string {
	switch (failure.reason) {
		case 'other host':
			return `${BY_HAND} If you trust that host, turn on 'Allow Other Hosts' in the credential.`;
		case 'gone':
			return 'Ask the service about the job.';
		case 'timeout':
			return `${BY_HAND} To allow more time, add the option 'Timeout' and set it higher.`;
		case 'blocked':
			return 'Open the link below in a browser, or ask your n8n administrator to allow its host.';
		default:
			return BY_HAND;
	}
}

function notDownloaded(why: string): string {
	return `The image could not be downloaded: ${why}.`;
}
