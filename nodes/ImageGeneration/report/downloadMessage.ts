import type { DownloadFailure } from '../failures/failures';
import { notAnImageBecause } from '../images/imageType';
import type { Message } from './messages';

const BY_HAND = 'Open the link below in a browser.';
const ASK = { advice: 'Ask the service about the job.' };

/** Explains why an image could not be downloaded. It never advises to run the item again, which would cost. */
export function downloadMessage(failure: DownloadFailure): Message {
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
		case 'status':
			return statusMessage(failure.status, failure.mayLackKey);
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

function statusMessage(status: number, mayLackKey: boolean): Message {
	const isGone = status === 404 || status === 410;
	return {
		...notDownloaded(
			isGone
				? `the service no longer has it (status ${status})`
				: `the service responded with status ${status}`,
		),
		...(isGone && ASK),
		...(mayLackKey && {
			advice:
				'If the API key was part of the link, put it in place of ••• and open the link in a browser.',
		}),
	};
}

function notDownloaded(why: string): Message {
	return { title: `The image could not be downloaded: ${why}.`, advice: BY_HAND };
}
